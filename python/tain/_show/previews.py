# SPDX-License-Identifier: Apache-2.0
"""The text in place of a row's parts while the row is folded: `(price=100.1, legs=..., ...)`.

A preview is made of the rows that follow, so nothing is read again.
"""

from __future__ import annotations

from tain._show.leaves import cut
from tain._show.rows import Row

__all__ = ["Previews"]

_PARTS = 4
_WIDTH = 36  # characters, at which no further part is added
_VALUE = 24  # characters of a value
_BRACKETS = {"fields": ("(", ")"), "elements": ("[", "]"), "entries": ("{", "}")}


class Previews:
    """The previews of the rows of one graph."""

    def __init__(self, rows: list[Row]) -> None:
        self._rows = rows
        self._ends = _ends_of(rows)

    def of(self, place: int) -> str:
        """Return the preview of a row whose parts follow it."""
        return self._inside(place, nested=True)

    def _inside(self, place: int, *, nested: bool) -> str:
        row = self._rows[place]
        opening, closing = _BRACKETS[row.form]
        shown: list[str] = []
        room = _WIDTH
        at = place + 1
        while at < self._ends[place]:
            if len(shown) == _PARTS or room <= 0 or not self._rows[at].type:
                shown.append("...")
                break
            shown.append(self._part(row.form, at, nested=nested))
            room -= len(shown[-1])
            at = self._ends[at]
        return f"{opening}{', '.join(shown)}{closing}"

    def _part(self, form: str, place: int, *, nested: bool) -> str:
        row = self._rows[place]
        if form == "elements":
            return self._value(place, nested=nested)
        if form == "entries":
            return f"{cut(row.label[1:-1], _VALUE)}: {self._value(place, nested=nested)}"
        return f"{row.label}={self._value(place, nested=False)}"

    def _value(self, place: int, *, nested: bool) -> str:
        row = self._rows[place]
        if row.error:
            return "..."
        if not row.form:
            return cut(row.text or row.type, _VALUE)
        if nested and row.opened and row.form == "fields":
            return f"{row.type}{self._inside(place, nested=False)}"
        return "..." if row.count != 0 else "".join(_BRACKETS[row.form])


def _ends_of(rows: list[Row]) -> list[int]:
    """Return for each row the place after its parts, and theirs."""
    ends = [len(rows)] * len(rows)
    open_: list[int] = []
    for place, row in enumerate(rows):
        while open_ and rows[open_[-1]].level >= row.level:
            ends[open_.pop()] = place
        open_.append(place)
    return ends
