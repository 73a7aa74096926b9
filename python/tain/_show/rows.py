# SPDX-License-Identifier: Apache-2.0
"""A graph as rows: one for each part, in the order in which a reader meets them.

A limit is spent fairly: each object first gets a row for each of its parts, and what is left is
divided among them, so that one large part does not hide the others. What one part does not need is
left to those after it.
"""

from __future__ import annotations

from typing import Any

from tain._checks import refuse
from tain._show.leaves import Failure, Unreadable, leaf_text, type_name
from tain._show.parts import ALL, Content, Part, content_of, identity_of

__all__ = ["Met", "Row", "checked_limit", "checked_rows", "pieces_of", "rows_of"]

_WIDTH = 80  # characters of a value, if there is a limit
_DEEP = 40  # levels; deeper rows are not indented further


class Met:
    """A value with parts that the walk has opened."""

    __slots__ = ("number", "shared", "value")

    def __init__(self, value: Any) -> None:
        self.value = value  # held, because the identity of a dead value may be used again
        self.shared = False
        self.number = 0


class Row:
    """A part of a graph, for one line."""

    __slots__ = (
        *("count", "error", "form", "label", "level", "met", "more", "opened", "text", "type"),
    )

    def __init__(self, level: int, label: str) -> None:
        self.level = level
        self.label = label
        self.type = ""
        self.text = ""  # the value of a leaf
        self.form = ""  # that of the content; empty for a leaf
        self.count: int | None = None  # the parts of a container
        self.met: Met | None = None  # for an object, once it was opened
        self.opened = False  # whether the parts follow
        self.error = False  # whether the text says what failed
        self.more = 0  # for the row that stands for others: how many they are


class _Frame:
    """An open value: which of its parts comes next, and how many rows are left for them."""

    __slots__ = ("heads", "hungry", "parts", "place", "room")

    def __init__(self, parts: list[Part], room: int) -> None:
        self.parts = parts
        self.heads = [content_of(part.value, 0) for part in parts]
        self.hungry = sum(_has_parts(head) for head in self.heads)  # how many need room
        self.place = 0
        self.room = room

    def next(self) -> tuple[Part, Content | None, int]:
        """Return the next part, with its share of the room."""
        part, head = self.parts[self.place], self.heads[self.place]
        self.place += 1
        if not _has_parts(head):
            return part, head, 0
        share = self.room if self.room >= _ENDLESS else self.room // self.hungry
        self.hungry -= 1
        return part, head, share


_ENDLESS = ALL // 2  # a room that is not shared, because there is no limit


def _has_parts(head: Content | None) -> bool:
    return head is not None and head.total > 0


def checked_limit(where: str, name: str, limit: object, least: int) -> int:
    """Return a limit that a user gave; None stands for no limit."""
    if limit is None:
        return ALL
    if not isinstance(limit, int) or isinstance(limit, bool):
        raise refuse(f"{where}: argument {name}", "int or None", limit)
    if limit < least:
        raise ValueError(f"{where}: argument {name}: expected at least {least}, got {limit}")
    return min(limit, ALL)


class _Walk:
    def __init__(self, limit: int, depth: int) -> None:
        self.rows: list[Row] = []
        self.met: dict[int, Met] = {}
        self.depth = depth
        self.items = ALL if limit >= ALL else max(limit // 10, 5)
        self.width = None if limit >= ALL else _WIDTH

    def enter(
        self, label: str, value: Any, content: Content | None, level: int, room: int
    ) -> _Frame | None:
        """Add the row of a value; return the frame of its parts if they are to be shown."""
        row = Row(level, label)
        self.rows.append(row)
        row.type = type_name(value)
        if content is None:
            row.error = type(value) is Unreadable
            if value is None:
                row.type = "None"
            else:
                row.text = leaf_text(value, self.width)
            return None
        row.form = content.form
        if content.is_container:
            row.count = content.total
        if content.total == 0:
            return None
        identity = identity_of(value)
        met = self.met.get(identity)
        if met is not None:
            row.met, met.shared = met, True
            return None
        row.met = Met(value)
        frame = self.open(row, value, content, room) if level < self.depth else None
        if frame is not None:
            row.opened = True
            self.met[identity] = row.met
        return frame

    def open(self, row: Row, value: Any, known: Content, room: int) -> _Frame | None:
        """Read as many parts as there is room for."""
        many = min(self.items, room) if known.is_container else room
        if many <= 0 or (many == 1 and known.total > 1):
            return None
        content = content_of(value, many)
        if content is None or not content.parts:  # it has changed, or all fields are hidden
            return None
        if row.count is not None:
            row.count = content.total
        shown = content.parts[:many]
        if len(shown) < content.total and len(shown) >= room:
            shown = shown[: room - 1]
        row.more = max(content.total - len(shown), 0)
        return _Frame(shown, room - len(shown) - (row.more > 0))


def checked_rows(where: str, value: Any, limit: object, depth: object) -> list[Row]:
    """Return the rows of a graph within the limits that a user gave."""
    rows = checked_limit(where, "limit", limit, 1)
    return rows_of(value, rows, checked_limit(where, "depth", depth, 0))


def rows_of(value: Any, limit: int, depth: int) -> list[Row]:
    """Return the rows of a graph.

    `limit` is the number of rows, `depth` that of the levels below the first.
    """
    walk = _Walk(limit, depth)
    open_: list[tuple[_Frame, int]] = []  # each with the place of its row
    frame = walk.enter("", value, content_of(value, 0), 0, limit - 1)
    if frame is not None:
        open_.append((frame, 0))
    while open_:
        frame, place = open_[-1]
        if frame.place < len(frame.parts):
            part, head, room = frame.next()
            below = walk.enter(part.label, part.value, head, len(open_), room)
            if below is not None:
                open_.append((below, len(walk.rows) - 1))
            continue
        open_.pop()
        row = walk.rows[place]
        if row.more:
            walk.rows.append(_rest(row))
        if open_:
            open_[-1][0].room -= len(walk.rows) - place - 1
    _number(walk.rows)
    return walk.rows


def _rest(row: Row) -> Row:
    """Return the row that stands for the parts of a value that are not shown."""
    rest = Row(row.level + 1, "")
    rest.more, row.more = row.more, 0
    return rest


def _number(rows: list[Row]) -> None:
    """Give numbers to what is referred to, in the order of the rows."""
    count = 0
    for row in rows:
        if row.opened and row.met is not None and row.met.shared:
            count += 1
            row.met.number = count


def pieces_of(row: Row) -> list[tuple[str, str]]:
    """Return the text of a row in pieces with their kinds; the first is the indentation."""
    deeper = row.level - _DEEP
    if deeper > 0:
        pieces = [("indent", "  " * _DEEP), ("note", f"+{deeper} ")]
    else:
        pieces = [("indent", "  " * row.level)]
    if not row.type:
        return [*pieces, ("note", f"... {row.more} more")]
    if row.label:
        pieces.append(("label", row.label))
        pieces.append(("", ": "))
    if row.error:
        return [*pieces, ("error", row.text)]
    pieces.append(("type", row.type))
    if row.count is not None:
        pieces.append(("note", f" ({row.count})"))
    if row.text:
        pieces.append(("", " = "))
        pieces.append(("error" if isinstance(row.text, Failure) else "value", row.text))
    if row.met is not None and row.met.number:
        pieces.append(("mark", f" #{row.met.number}"))
    if row.met is not None and not row.opened:
        pieces.append(("note", " ..."))
    return pieces
