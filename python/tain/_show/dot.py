# SPDX-License-Identifier: Apache-2.0
"""A graph as a diagram of Graphviz: `to_dot` writes its language, `to_svg` runs it."""

from __future__ import annotations

from typing import Any

from tain._show.boxes import BOXES, boxes_of
from tain._show.rows import checked_limit
from tain._tracebacks import ends_at_caller

__all__ = ["to_dot", "to_svg"]


@ends_at_caller
def to_dot(obj: Any, *, limit: int | None = BOXES) -> str:
    """Return a graph as a diagram in the language of Graphviz.

    Each object is one box, however often it is met; arrows have the names of fields, indices and
    keys.

    Parameters
    ----------
    obj
        A registered object, a container, or any other value.
    limit
        The number of boxes, at least 1; the nearest to `obj` are kept. A box has at most 30 parts,
        and values end after 40 characters. None shows everything.

    Raises
    ------
    TypeError
        `limit` is not an int.
    ValueError
        `limit` is less than 1.
    """
    return _dot(obj, limit, "to_dot")


@ends_at_caller
def to_svg(obj: Any, *, limit: int | None = BOXES) -> str:
    """Return the diagram of `to_dot` as SVG, drawn by Graphviz.

    This needs the Python package `graphviz` (the extra `svg` of tain) and the program `dot`.

    Parameters
    ----------
    obj
        A registered object, a container, or any other value.
    limit
        The number of boxes; see `to_dot`.

    Raises
    ------
    ImportError
        The package or the program is not installed; the text says how to install it.
    TypeError
        `limit` is not an int.
    ValueError
        `limit` is less than 1.
    """
    source = _dot(obj, limit, "to_svg")
    try:
        import graphviz
    except ImportError as error:
        raise ImportError(
            "to_svg: the package graphviz is not installed: pip install 'tain[svg]'",
            name="graphviz",
        ) from error
    try:
        drawn = graphviz.Source(source).pipe(format="svg", encoding="utf-8")
    except graphviz.ExecutableNotFound as error:
        raise ImportError(
            "to_svg: the program dot is not installed: install Graphviz "
            "(on Debian: apt-get install graphviz)",
            name="graphviz",
        ) from error
    return str(drawn)


def _dot(obj: Any, limit: int | None, where: str) -> str:
    lines = [
        "digraph {",
        '  node [shape=box, fontname="monospace"];',
        '  edge [fontname="monospace"];',
    ]
    boxes = boxes_of(obj, checked_limit(where, "limit", limit, 1))
    for box in boxes:
        lines_of_box = "".join(f"{_quoted(line)}\\l" for line in box.lines)
        text = "\\n".join(filter(None, [_quoted(box.name), lines_of_box]))
        lines.append(f'  n{box.number} [label="{text}"];')
    for box in boxes:
        for label, target in box.arrows:
            lines.append(f'  n{box.number} -> n{target.number} [label="{_quoted(label)}"];')
    return "\n".join([*lines, "}"])


def _quoted(text: str) -> str:
    """Return a text for a quoted label, in which backslashes and references have a meaning."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
