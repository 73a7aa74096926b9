# SPDX-License-Identifier: Apache-2.0
"""A graph as HTML: a tree that can be unfolded and searched, without anything from elsewhere.

The text of the unfolded tree is that of `to_text`, indentation included, so it can be copied. The
tree is made of <details> elements and needs no script; a script adds the search. All text is
escaped, and the result is ASCII, so it means the same in every encoding of a page.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import Any

from tain._show.page import SCRIPT, STYLE
from tain._show.previews import Previews
from tain._show.rows import Row, checked_rows, pieces_of
from tain._tracebacks import ends_at_caller

__all__ = ["LINES", "ascii_html", "to_html"]

LINES = 1000  # of a tree, if nothing else is said
_OPEN = 40  # lines that are unfolded at first
_NESTED = 200  # levels; browsers nest at most 512 elements
# The tools; a value of which all is seen at once does not need them.
_TOOLS = (
    '<div class="tain-tools" hidden><input type="search" placeholder="search">'
    '<input type="button" value="expand all"><input type="button" value="collapse all">'
    '<span class="tain-found"></span></div>'
)


@ends_at_caller
def to_html(obj: Any, *, limit: int | None = LINES, depth: int | None = None) -> str:
    """Return a graph as a tree that can be unfolded and searched, as HTML with its own style.

    This is how Jupyter shows objects. Written to a file, the text is a page.

    Parameters
    ----------
    obj
        A registered object, a container, or any other value.
    limit
        The number of lines, at least 1; see `to_text`. None shows everything.
    depth
        How many levels below `obj` are shown; None does not limit them.

    Raises
    ------
    TypeError
        `limit` or `depth` is not an int.
    ValueError
        `limit` is less than 1, or `depth` is negative.
    """
    rows = checked_rows("to_html", obj, limit, depth)
    has_tools = len(rows) > _OPEN or any(row.level > 1 for row in rows)
    return ascii_html(
        f'<div class="tain-show"><style>{STYLE}</style>{_TOOLS if has_tools else ""}'
        f'<div class="tain-tree">{_tree(rows)}</div>'
        f"{f'<script>{SCRIPT}</script>' if has_tools else ''}</div>"
    )


def ascii_html(text: str) -> str:
    """Return HTML with references in place of characters that are not ASCII."""
    return text.encode("ascii", "xmlcharrefreplace").decode()


def _tree(rows: list[Row]) -> str:
    unfolded = _levels_open(rows)
    previews = Previews(rows)
    out: list[str] = []
    nested: list[int] = []  # the levels of the elements that are open
    for place, row in enumerate(rows):
        while nested and nested[-1] >= row.level:
            nested.pop()
            out.append("</details>")
        has_parts = place + 1 < len(rows) and rows[place + 1].level > row.level
        if has_parts and len(nested) < _NESTED:
            nested.append(row.level)
            state = " open" if row.level < unfolded else ""
            brief = _preview(row, previews.of(place))
            out.append(f"<details{state}><summary>{_line(row, '<i></i>')}{brief}</summary>")
        else:
            out.append(f"<div>{_line(row)}</div>")
    out.append("</details>" * len(nested))
    return "".join(out)


def _preview(row: Row, text: str) -> str:
    """Return the element of a preview. The style shows it, so that the page has the same text."""
    space = " " if row.count is not None or (row.met and row.met.number) else ""
    return f'<span class="tain-brief" data-text="{escape(space + text)}"></span>'


def _levels_open(rows: list[Row]) -> int:
    """Return how many levels are unfolded at first: one, or as many as fit on a screen."""
    sizes = Counter(row.level for row in rows)
    total, level = sizes[0] + sizes[1], 1
    while level + 1 in sizes and total + sizes[level + 1] <= _OPEN:
        level += 1
        total += sizes[level]
    return level


def _line(row: Row, after_indent: str = "") -> str:
    """Return the text of a row; in `<i>` the style shows whether the row is unfolded."""
    (_, indent), *pieces = pieces_of(row)
    spans = [
        f'<span class="tain-{kind}">{escape(text)}</span>' if kind else escape(text)
        for kind, text in pieces
    ]
    return f"{indent}{after_indent}{''.join(spans)}"
