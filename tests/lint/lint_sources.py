# SPDX-License-Identifier: Apache-2.0
"""What the lints share: the source files of the repository, and C++ text without its comments."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
CPP = (".h", ".cc", ".hpp", ".cpp")

# Folders that no lint looks into: build trees, caches, what a test downloads or compiles.
_SKIPPED = {"build", "dist", "__pycache__", "node_modules"}

_COMMENT_OR_STRING = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""", re.DOTALL
)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)


class Include(NamedTuple):
    """One include directive: where it stands, what it says, and the file of ours it names."""

    file: Path
    line: int
    name: str
    target: Path | None

    def __str__(self) -> str:
        return f"{relative(self.file)}:{self.line}: includes {self.name}"


def relative(path: Path) -> str:
    """Return a path as it is written in messages."""
    return path.relative_to(ROOT).as_posix()


def files(*folders: str, suffixes: tuple[str, ...]) -> list[Path]:
    """Return the files below some folders of the repository that have one of the suffixes."""
    found: set[Path] = set()
    for folder in folders:
        for path in (ROOT / folder).rglob("*"):
            parts = path.relative_to(ROOT).parts
            hidden = any(part in _SKIPPED or part.startswith(".") for part in parts[:-1])
            if path.suffix in suffixes and not hidden and path.is_file():
                found.add(path)
    return sorted(found)


@cache
def text(path: Path) -> str:
    """Return the text of a file."""
    return path.read_text(encoding="utf-8")


@cache
def code(path: Path) -> str:
    """Return C++ text with comments and literals blanked out, lines in their places."""

    def blank(found: re.Match[str]) -> str:
        lines = "\n" * found[0].count("\n")
        return f'""{lines}' if found[0][0] in "\"'R" else f" {lines}"

    return _COMMENT_OR_STRING.sub(blank, text(path))


def matches(path: Path, pattern: re.Pattern[str]) -> list[str]:
    """Return `file:line: text` for each match of a pattern in the code of a C++ file."""
    return [
        f"{relative(path)}:{number}: {line.strip()}"
        for number, line in enumerate(code(path).splitlines(), 1)
        if pattern.search(line)
    ]


@cache
def includes(path: Path) -> tuple[Include, ...]:
    """Return the include directives of a C++ file."""
    source = re.sub(r"//[^\n]*", "", text(path))
    return tuple(
        Include(path, source.count("\n", 0, found.start()) + 1, found[1], _resolve(path, found[1]))
        for found in _INCLUDE.finditer(source)
    )


def _resolve(path: Path, name: str) -> Path | None:
    roots = [
        root
        for root in (ROOT / "src/ffi", ROOT / "src/bindings", ROOT / "tests/cpp")
        if root in path.parents
    ]
    compat = ROOT / "include" / "tain_compat"
    for folder in (path.parent, ROOT / "include", *([compat] if compat in path.parents else roots)):
        target = (folder / name).resolve()
        if target.is_file() and target.is_relative_to(ROOT):
            return target
    return None


def room_of(path: Path) -> str:
    """Return the room of a source file: `calls/call` for src/bindings/calls/call.cc and call.h."""
    return path.relative_to(ROOT / "src").with_suffix("").as_posix().partition("/")[2]


def rooms(half: str) -> dict[str, set[str]]:
    """Return which room includes which others, of `src/ffi` or `src/bindings`."""
    graph: dict[str, set[str]] = {}
    for path in files(half, suffixes=CPP):
        here = graph.setdefault(room_of(path), set())
        for include in includes(path):
            if include.target is not None and (ROOT / half) in include.target.parents:
                here.add(room_of(include.target))
    return {room: others - {room} for room, others in graph.items()}


def knots(graph: dict[str, set[str]]) -> list[set[str]]:
    """Return the groups of rooms that include each other, directly or through others."""
    reached = {room: _reached_from(room, graph) for room in graph}
    found: list[set[str]] = []
    for room in graph:
        knot = {other for other in reached[room] if room in reached[other]}
        if knot and knot not in found:
            found.append(knot)
    return found


def _reached_from(room: str, graph: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    work = [room]
    while work:
        for other in graph[work.pop()] - reached:
            reached.add(other)
            work.append(other)
    return reached
