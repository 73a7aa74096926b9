# SPDX-License-Identifier: Apache-2.0
"""Two graphs side by side, and the list of their differences."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from html import escape
from typing import Any, Final, NamedTuple, cast

import tain
from tain import _core
from tain._show.html import ascii_html
from tain._show.leaves import cut, leaf_text, type_name
from tain._show.page import STYLE
from tain._show.pairs import MISSING, Link, Missing, Pair, compare
from tain._show.parts import content_of, name_of
from tain._tracebacks import ends_at_caller

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tain import AccessPath

__all__ = ["Change", "Diff", "diff"]

_LINES = 200  # of a text
_COLUMN = 66  # characters
_WIDTH = 50  # characters of a value
_STEPS = 36  # characters of a path in front of a value


class _Trail(NamedTuple):
    """The way to a part, from its end."""

    before: _Trail | None
    place: tuple[str, Any] | None


class Change:
    """One difference between two graphs; `path, left, right = change`.

    Attributes
    ----------
    left, right
        The values. One of them is `Diff.missing` if only the other graph has the part.
    """

    __slots__ = ("_trail", "left", "right")

    def __init__(self, trail: _Trail | None, left: Any, right: Any) -> None:
        self._trail = trail
        self.left = left
        self.right = right

    @property
    def path(self) -> AccessPath:
        """The place of the part, an AccessPath such as `<root>.body[3].value`.

        An index is that of the left graph, or of the right one if only that has the element.
        """
        step = _core.get_class("ffi.AccessStep")
        steps = []
        trail = self._trail
        while trail is not None:
            if trail.place is not None:
                steps.append(step(*trail.place))
            trail = trail.before
        return tain.AccessPath(steps[::-1])

    def __iter__(self) -> Iterator[Any]:
        return iter((self.path, self.left, self.right))

    def __repr__(self) -> str:
        return f"<{_shortened(str(self.path))}: {_brief(self.left)} != {_brief(self.right)}>"


class Diff:
    """The differences between two graphs: false if there is none.

    `str()` shows both graphs side by side: equal parts are left out and counted, `!` marks a part
    that differs, `<` and `>` one that only the left or the right graph has. Notebooks show the same
    as a table.
    """

    missing: Final[Missing] = MISSING
    """Stands for the other side of a part that only one graph has."""

    def __init__(self, root: Pair) -> None:
        self._root = root

    @cached_property
    def changes(self) -> list[Change]:
        """All differences, each once, in the order of the graph."""
        found: list[Change] = []
        met: set[int] = set()
        open_: list[tuple[Pair, _Trail | None]] = [(self._root, None)]
        while open_:
            pair, trail = open_.pop()
            if not pair.differs or id(pair) in met:
                continue
            met.add(id(pair))
            if pair.links is None:
                found.append(Change(trail, pair.left, pair.right))
                continue
            open_.extend((link.pair, _Trail(trail, link.place)) for link in reversed(pair.links))
        return found

    def __bool__(self) -> bool:
        return self._root.differs

    def __len__(self) -> int:
        return len(self.changes)

    def __repr__(self) -> str:
        count = len(self.changes)
        return f"<tain.Diff: {count} difference{'' if count == 1 else 's'}>"

    def __str__(self) -> str:
        if not self:
            return "no differences"
        lines = list(_lines_of(self._root, _LINES))
        width = min(max(len(line.left) for line in lines), _COLUMN)
        return "\n".join(
            f"{_fitted(line.left):{width}} {line.mark} {_fitted(line.right)}".rstrip()
            for line in lines
        )

    def _repr_html_(self) -> str:
        if not self:
            return "<div>no differences</div>"
        rows = []
        for line in _lines_of(self._root, _LINES):
            left = ' class="tain-left"' if line.mark in "!<" else ""
            right = ' class="tain-right"' if line.mark in "!>" else ""
            rows.append(
                f"<tr><td{left}>{escape(line.left)}</td><td{right}>{escape(line.right)}</td></tr>"
            )
        return ascii_html(
            f'<div class="tain-show"><style>{STYLE}</style>'
            f'<table class="tain-diff">{"".join(rows)}</table></div>'
        )


@ends_at_caller
def diff(a: Any, b: Any) -> Diff:
    """Return the differences between two graphs.

    The graphs are compared part by part, from `a` and `b` on. Elements of sequences are aligned, so
    an inserted element does not shift those after it; entries of mappings are found by their keys.
    Values without parts are equal if their types and values are: 0.0 is not -0.0, nan equals nan,
    and a function equals itself alone. Arrays are equal if their shapes, element types and elements
    are. Objects are equal if their classes and parts are. Fields
    that structural comparison ignores are not compared, nor those that `repr` leaves out; whether
    parts are shared makes no difference.

    Parameters
    ----------
    a, b
        Registered objects, containers, or any other values.

    Returns
    -------
    Diff
        The differences, which are false if the graphs are equal.

    Examples
    --------
    >>> from tain.types.testing import Point
    >>> for path, left, right in tain.diff(Point(1, 2), Point(1, 3)).changes:
    ...     print(path, left, right)
    <root>.y 2.0 3.0
    """
    return Diff(compare(a, b))


# ---------------------------------------------------------------- side by side


class _Line(NamedTuple):
    left: str
    right: str
    mark: str


def _lines_of(root: Pair, limit: int) -> Iterator[_Line]:
    """Yield the lines of both columns. Where only one part differs, its line has the path to it."""
    met: set[int] = set()
    open_: list[tuple[int, str, Pair | int]] = [(0, "", root)]  # an int counts equal parts
    for _ in range(limit):
        if not open_:
            return
        level, label, pair = open_.pop()
        indent = "  " * level
        if isinstance(pair, int):
            yield _Line(f"{indent}... {pair} equal", f"{indent}... {pair} equal", " ")
            continue
        if level:
            label, pair = _followed(label, pair, met)
        head = f"{indent}{_shortened(label)}: " if label else indent
        if pair.links is None:
            yield _changed(head, pair)
            continue
        seen = " (as above)" if id(pair) in met else ""
        left, right = (name_of(side, content_of(side, 0)) for side in (pair.left, pair.right))
        yield _Line(f"{head}{left}{seen}", f"{head}{right}{seen}", " ")
        if seen:
            continue
        met.add(id(pair))
        differing = _differing(pair)
        equal = pair.equal + len(pair.links) - len(differing)
        if equal:
            open_.append((level + 1, "", equal))
        open_.extend((level + 1, link.step, link.pair) for link in reversed(differing))
    if open_:
        yield _Line("...", "...", " ")


def _followed(label: str, pair: Pair, met: set[int]) -> tuple[str, Pair]:
    """Go on to the part that differs while it is the only one; return the path and the pair."""
    steps = [label]
    while pair.links is not None and id(pair) not in met:
        differing = _differing(pair)
        if len(differing) != 1:
            break
        met.add(id(pair))
        steps.append(differing[0].step)
        pair = differing[0].pair
    return "".join(steps).removeprefix("."), pair


def _differing(pair: Pair) -> list[Link]:
    return [link for link in cast("list[Link]", pair.links) if link.pair.differs]


def _changed(head: str, pair: Pair) -> _Line:
    if pair.left is MISSING:
        return _Line("", f"{head}{_brief(pair.right)}", ">")
    if pair.right is MISSING:
        return _Line(f"{head}{_brief(pair.left)}", "", "<")
    return _Line(f"{head}{_brief(pair.left)}", f"{head}{_brief(pair.right)}", "!")


def _fitted(line: str) -> str:
    return line if len(line) <= _COLUMN else f"{line[: _COLUMN - 3]}..."


def _shortened(path: str) -> str:
    if len(path) <= _STEPS:
        return path
    return f"{path[: _STEPS // 2 - 4]} ... {path[-_STEPS // 2 :]}"


def _brief(value: Any) -> str:
    """Return a value on one line, with the leaves among its parts."""
    if value is MISSING:
        return repr(value)
    content = content_of(value, 8)
    if content is None:
        return f"{type_name(value)} = {leaf_text(value, _WIDTH)}"
    if content.is_container:
        return name_of(value, content)
    shown = [
        f"{part.label}={leaf_text(part.value, 20) if content_of(part.value, 0) is None else '...'}"
        for part in content.parts
    ]
    return cut(f"{type_name(value)}({', '.join(shown)})", _WIDTH)
