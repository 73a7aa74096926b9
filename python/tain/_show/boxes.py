# SPDX-License-Identifier: Apache-2.0
"""A graph as boxes and arrows, for diagrams.

Each object with parts is one box, however often it is met. Its parts without parts of their own are
lines in the box, the others are arrows. If there is a limit, the boxes nearest to the first one are
kept.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from tain._show.leaves import Unreadable, leaf_text, printable
from tain._show.parts import ALL, Content, content_of, identity_of, name_of

__all__ = ["BOXES", "Box", "boxes_of"]

BOXES = 100  # of a diagram, if nothing else is said
_LINES = 30  # of a box
_WIDTH = 40  # characters of a value


class Box:
    """An object of a graph."""

    __slots__ = ("arrows", "lines", "name", "number", "value")

    def __init__(self, number: int, name: str, value: Any) -> None:
        self.number = number
        self.name = name
        self.value = value  # held, because the identity of a dead value may be used again
        self.lines: list[str] = []
        self.arrows: list[tuple[str, Box]] = []


def boxes_of(value: Any, limit: int) -> list[Box]:
    """Return the boxes of a graph, the nearest first; at most `limit`, which ALL means too."""
    root = Box(0, name_of(value, content_of(value, 0)), value)
    boxes = [root]
    if content_of(value, 0) is None:
        root.lines.append(leaf_text(value, _width(limit)))
        return boxes
    known = {identity_of(value): root}
    waiting = deque([root])
    while waiting:
        box = waiting.popleft()
        content = content_of(box.value, ALL if limit >= ALL else _LINES)
        if content is None:  # it has changed
            continue
        for part in content.parts:
            below = content_of(part.value, 0)
            if below is None or below.total == 0:
                box.lines.append(_line(part.label, part.value, below, limit))
                continue
            identity = identity_of(part.value)
            target = known.get(identity)
            if target is None and len(boxes) < limit:
                target = Box(len(boxes), name_of(part.value, below), part.value)
                known[identity] = target
                boxes.append(target)
                waiting.append(target)
            if target is None:
                box.lines.append(f"{part.label}: {name_of(part.value, below)} ...")
            else:
                box.arrows.append((part.label, target))
        if content.total > len(content.parts):
            box.lines.append(f"... {content.total - len(content.parts)} more")
    return boxes


def _width(limit: int) -> int | None:
    return None if limit >= ALL else _WIDTH


def _line(label: str, value: Any, content: Content | None, limit: int) -> str:
    if content is not None:  # an empty container
        return f"{label}: {name_of(value, content)}"
    separator = ": " if type(value) is Unreadable else " = "
    return printable(f"{label}{separator}{leaf_text(value, _width(limit))}")
