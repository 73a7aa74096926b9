# SPDX-License-Identifier: Apache-2.0
"""Draw the picture of README and docs: what comes of some lines of C++.

Usage: ``python tools/picture.py [--check]``, with tain installed. The C++ is that of README.md. It
is compiled, and everything on the right is what tain says of it.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

from drawing import PALETTES, Drawing, Palette, Piece, write
from pygments import lex
from pygments.lexer import Lexer
from pygments.lexers.c_cpp import CppLexer
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, String

ROOT = Path(__file__).resolve().parent.parent
TITLE = "C++ on the left; in Python on the right: completion, errors, a tree in Jupyter, a stub"
SIZE, STEP = 12.5, 18  # of a line of code
MARGINS = 48  # of a panel: above, with the heading, and below
WRAP = 76  # letters of a line of an error
WIDTH, LEFT, GAP = 1300, 630, 16
RIGHT = WIDTH - LEFT - 3 * GAP
TREE = 206  # the width of the panel beside completion


def of_readme(language: str, first: str) -> str:
    """Return the block of the README that begins with a line, without blank lines."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"^```{language}\n({re.escape(first)}\n.*?)^```$", text, re.M | re.S)
    assert found is not None, first
    return re.sub(r"\n\n+", "\n", found[1].rstrip())


def source() -> str:
    """Return the C++."""
    return of_readme("cpp", "// geometry.cc")


def subclass() -> str:
    """Return the Python that derives from a C++ class."""
    return of_readme("python", "class Labelled(geometry.Point):")


# What another process says of the C++, as JSON.
_ASK = """
import inspect, json
import tain
from tain.stubgen import namespace_stubs

tain.cpp.load(name="geometry", sources=["geometry.cc"])
from tain.types.geometry import Point, Polygon

def error(call):
    try:
        eval(call)
    except Exception as error:
        return call, f"{type(error).__name__}: {error}"

def shown(name):
    value = getattr(Point, name)
    doc = inspect.getdoc(value).splitlines()[-1]
    if not callable(value):
        return name, doc
    signature = inspect.signature(value)
    rest = [one for one in signature.parameters.values() if one.name != "self"]
    return name + str(signature.replace(parameters=rest)), doc

names = [name for name in dir(Point) if name in vars(Point) and not name.startswith("_")]
print(json.dumps({
    "names": [shown(name) for name in names],
    "errors": [error("Point(3, yy=4)"), error("Polygon([Point(0), (3, 4)])")],
    "tree": tain.to_text(Polygon([Point(0), Point(3, 4)])),
    "stub": namespace_stubs("geometry")["tain.types.geometry"],
}))
"""


def _ask() -> dict[str, Any]:
    """Compile the C++ of the README, and return what tain says of it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "geometry.cc").write_text(source() + "\n", encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-c", _ASK], cwd=folder, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def coloured(text: str, lexer: Lexer, palette: Palette) -> list[list[Piece]]:
    """Return the lines of a program as pieces with colours."""
    lines: list[list[Piece]] = [[]]
    for kind, part in lex(text, lexer):
        colour = next((getattr(palette, name) for found, name in _COLOURS if kind in found), None)
        for i, piece in enumerate(part.split("\n")):
            if i:
                lines.append([])
            if piece:
                lines[-1].append((piece, colour or palette.text))
    return lines[:-1] if not lines[-1] else lines


_COLOURS = (
    (Comment.Preproc, "keyword"),
    (Comment, "comment"),
    (String, "string"),
    (Number, "number"),
    (Keyword.Type, "type"),
    (Name.Class, "type"),
    (Name.Builtin, "type"),
    (Keyword, "keyword"),
)


class Panel:
    """A box with a heading, and lines of code below one another."""

    def __init__(self, drawing: Drawing, x: float, y: float, width: float, lines: float) -> None:
        self.drawing, self.palette = drawing, drawing.palette
        self.x, self.at = x + 14, y + 48
        self.height = MARGINS + lines * STEP
        drawing.box(
            *(x, y, width, self.height),
            rx=8,
            fill=self.palette.panel,
            stroke=self.palette.edge,
        )

    def head(self, title: str) -> None:
        """Write the heading."""
        style = {"font_weight": 600, "font_size": 13}
        self.drawing.label(self.x, self.at - 24, title, self.palette.brand, **style)

    def line(self, pieces: list[Piece], indent: float = 0) -> None:
        """Write the next line."""
        self.drawing.code(self.x + indent, self.at, pieces, SIZE)
        self.at += STEP


def _completion(panel: Panel, said: dict[str, Any]) -> None:
    palette, drawing = panel.palette, panel.drawing
    panel.line([("p = Point(3, y=4)", palette.text)])
    panel.line([("p.", palette.text), ("▏", palette.brand)])
    width = 366
    drawing.box(
        *(panel.x + 16, panel.at - STEP + 6, width, STEP * len(said["names"]) + 8),
        rx=4,
        fill=palette.back,
        stroke=palette.edge,
    )
    panel.at += 4
    for i, (name, doc) in enumerate(said["names"]):
        if not i:
            drawing.box(
                *(panel.x + 18, panel.at - STEP + 5, width - 4, STEP),
                rx=3,
                fill=palette.brand,
                fill_opacity=0.15,
            )
        pieces = [(f"{name:<17}", palette.text), (doc, palette.faint)]
        panel.line(pieces, indent=24)


def _errors(panel: Panel, said: dict[str, Any]) -> None:
    palette = panel.palette
    for call, error in said["errors"]:
        panel.line([(f">>> {call}", palette.text)])
        kind, _, text = error.partition(": ")
        for i, part in enumerate(textwrap.wrap(f"{kind}: {text}", WRAP)):
            first = [(kind, palette.error), (part[len(kind) :], palette.text)]
            panel.line(first if not i else [(part, palette.text)])


def _tree(panel: Panel, said: dict[str, Any]) -> None:
    palette = panel.palette
    for line in said["tree"].splitlines():
        name, colon, rest = line.partition(": ")
        panel.line([(name + colon, palette.faint), (rest, palette.text)])


def stub_of_point(said: dict[str, Any]) -> str:
    """Return the class Point of the stub."""
    found = re.search(r"^class Point.*?(?=\n\n|\nclass |\Z)", said["stub"], re.M | re.S)
    assert found is not None, said["stub"]
    return found[0].rstrip()


def heights(said: dict[str, Any]) -> dict[str, float]:
    """Return how many lines each panel has."""
    errors = sum(1 + len(textwrap.wrap(error, WRAP)) for _, error in said["errors"])
    return {
        "cpp": len(source().splitlines()),
        "subclass": len(subclass().splitlines()),
        "upper": max(2.6 + len(said["names"]), len(said["tree"].splitlines())),
        "errors": errors,
        "stub": len(stub_of_point(said).splitlines()),
    }


def draw(said: dict[str, Any], palette: Palette) -> str:
    """Return the picture."""
    lines = heights(said)
    high = {name: MARGINS + count * STEP for name, count in lines.items()}
    left = high["cpp"] + high["subclass"]
    right = high["upper"] + high["errors"] + high["stub"] + GAP
    lines["subclass"] += max(right - left, 0) / STEP
    lines["stub"] += max(left - right, 0) / STEP
    drawing = Drawing(WIDTH, round(max(left, right) + 3 * GAP), palette, TITLE)
    drawing.box(0, 0, WIDTH, drawing.height, rx=10, fill=palette.back)

    def panel(title: str, x: float, y: float, width: float, name: str) -> Panel:
        made = Panel(drawing, x, y, width, lines[name])
        made.head(title)
        return made

    code = panel("You write C++, once", GAP, GAP, LEFT, "cpp")
    for line in coloured(source(), CppLexer(stripnl=False), palette):
        code.line(line)
    code = panel("... and Python, as ever", GAP, 2 * GAP + high["cpp"], LEFT, "subclass")
    for line in coloured(subclass(), PythonLexer(stripnl=False), palette):
        code.line(line)
    x, y = LEFT + 2 * GAP, float(GAP)
    _completion(panel("Completion", x, y, RIGHT - TREE - GAP, "upper"), said)
    _tree(panel("A tree in Jupyter", WIDTH - GAP - TREE, y, TREE, "upper"), said)
    y += high["upper"] + GAP
    _errors(panel("Errors that help", x, y, RIGHT, "errors"), said)
    y += high["errors"] + GAP
    stub = panel("A stub for type checkers", x, y, RIGHT, "stub")
    for line in coloured(stub_of_point(said), PythonLexer(stripnl=False), palette):
        stub.line(line)
    return drawing.text()


def main() -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    check = parser.parse_args().check
    said = _ask()
    stale = write("picture", {palette.name: draw(said, palette) for palette in PALETTES}, check)
    for line in stale:
        print(f"{line}: run python tools/picture.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
