# SPDX-License-Identifier: Apache-2.0
"""The chart of README and docs: some published figures, the costs of others beside tain's.

It reads the rows of docs/performance.md. A bar goes from tain's cost to that of another library: to
the right if the other costs more.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import page

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
sys.path.insert(0, str(ROOT / "tools"))

from drawing import PALETTES, Drawing, Palette, write  # noqa: E402

TITLE = "Costs of nanobind, pybind11 and apache-tvm-ffi, as multiples of tain's"
# What a reader is told, and the row of the page: those where tain costs more are among them.
ROWS = {
    "a call: f(1)": "add_one(1)",
    "with keywords: f(a=1, b=2)": "add(a=1, b=2)",
    "a method: p.plus(3)": "p.plus(3)",
    "an object: Pair(1, 2)": "Pair(1, 2)",
    "a field: p.a": "p.a",
    "a list of 1000 ints, copied": "list of 1000 ints, copied",
    "import": "import",
    "compile time, 50 classes": "compile 50 types x 5 fields x 5 methods",
    "size of their library": "code and data of 50 types x 5 fields x 5 methods",
}
OTHERS = {"/ nb": "nanobind", "/ pybind11": "pybind11", "/ tvm": "apache-tvm-ffi"}
LEAST, MOST = 0.3, 30.0  # the ends of the axis
TIMES = "\N{MULTIPLICATION SIGN}"
MARKS = (0.5, 1, 2, 5, 10, 20)
WIDTH, LEFT, RIGHT, TOP, BAR = 880, 220, 110, 66, 9
ROW = 3 * BAR + 15


def costs(path: Path = PAGE) -> dict[str, dict[str, float]]:
    """Return for each row and library its cost as a multiple of tain's; inf if it is too high."""
    groups = page.read(path.read_text(encoding="utf-8")).groups
    rows = {name: row for group in groups.values() for name, row in group.items()}
    return {
        shown: {
            other: 1 / float(text) if float(text) else math.inf
            for title, other in OTHERS.items()
            if (text := rows[name][title])
        }
        for shown, name in ROWS.items()
    }


def _x(cost: float) -> float:
    share = math.log(min(cost, MOST) / LEAST) / math.log(MOST / LEAST)
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def _words(cost: float) -> str:
    if math.isinf(cost):
        return f"more than 200 {TIMES}"
    digits = 2 if cost < 2 else 1 if cost < 10 else 0
    return f"{cost:.{digits}f} {TIMES}"


def _key(drawing: Drawing, colours: dict[str, str]) -> None:
    palette, at = drawing.palette, LEFT
    heading = "Cost beside tain's: right of the line, tain is cheaper"
    drawing.label(LEFT, 20, heading, palette.text, font_weight=600)
    for other, colour in colours.items():
        drawing.box(at, 31, 12, 12, rx=2, fill=colour)
        drawing.label(at + 18, 41, other, palette.text)
        at += 110


def draw(rows: dict[str, dict[str, float]], palette: Palette) -> str:
    """Return the chart."""
    drawing = Drawing(WIDTH, TOP + ROW * len(rows) + 30, palette, TITLE)
    colours = dict(zip(OTHERS.values(), palette.others, strict=True))
    drawing.box(0, 0, WIDTH, drawing.height, rx=10, fill=palette.back)
    _key(drawing, colours)
    bottom = TOP + ROW * len(rows)
    for mark in MARKS:
        style = {"stroke": palette.edge, "stroke_width": 1}
        drawing.line(_x(mark), TOP - 8, _x(mark), bottom, **style)
        drawing.label(
            _x(mark), bottom + 17, f"{mark:g} {TIMES}", palette.faint, text_anchor="middle"
        )
    for i, (name, others) in enumerate(rows.items()):
        y = TOP + i * ROW
        drawing.label(LEFT - 14, y + 1.5 * BAR + 4, name, palette.text, text_anchor="end")
        for j, other in enumerate(OTHERS.values()):
            if (cost := others.get(other)) is None:
                continue
            left, right = sorted((_x(1), _x(cost)))
            place = (left, y + j * BAR, max(right - left, 1.5), BAR - 1)
            drawing.box(*place, rx=1.5, fill=colours[other])
            words = (right + 5, y + j * BAR + BAR - 1, _words(cost), palette.faint)
            drawing.label(*words, font_size=9.5)
    drawing.line(_x(1), TOP - 8, _x(1), bottom, stroke=palette.brand, stroke_width=2)
    drawing.label(_x(1), TOP - 11, "tain", palette.brand, text_anchor="middle", font_weight=600)
    return drawing.text()


def update(check: bool) -> list[str]:
    """Write the chart, or only compare; return what is not as it must be."""
    rows = costs()
    return write("chart", {palette.name: draw(rows, palette) for palette in PALETTES}, check)
