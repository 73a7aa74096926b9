# SPDX-License-Identifier: Apache-2.0
"""A graph as text: `show` for terminals and `to_text`."""

from __future__ import annotations

import os
import sys
from typing import Any, Protocol

from tain._checks import refuse
from tain._show.rows import checked_rows, pieces_of
from tain._tracebacks import ends_at_caller

__all__ = ["Writable", "is_colored", "painted", "show", "to_text"]

# Codes of ANSI terminals; what has none keeps the terminal's color.
_COLORS = {
    "label": "36",
    "type": "1",
    "value": "32",
    "mark": "35",
    "note": "2",
    "error": "31",
}


class Writable(Protocol):
    """An object to which `print` can write."""

    def write(self, text: str, /) -> object:
        """Write a text."""


@ends_at_caller
def to_text(
    obj: Any, *, limit: int | None = 100, depth: int | None = None, color: bool = False
) -> str:
    """Return a graph as an indented tree.

    Each line has the name of a field, index or key, the type, and a short value. An object that is
    met again is shown as a reference to the line where its parts are: both have the same `#`
    number. An attribute of a Python subclass has a dot before its name.

    Parameters
    ----------
    obj
        A registered object, a container, or any other value.
    limit
        The number of lines, at least 1. A container shows at most a tenth as many elements (but at
        least 5), and values end after 80 characters. None shows everything.
    depth
        How many levels below `obj` are shown; None does not limit them.
    color
        Whether to add the color codes of ANSI terminals.

    Raises
    ------
    TypeError
        `limit` or `depth` is not an int.
    ValueError
        `limit` is less than 1, or `depth` is negative.

    Examples
    --------
    >>> from tain.types.testing import Point
    >>> print(tain.to_text(Point(1, y=2)))
    Point
      x: float = 1.0
      y: float = 2.0
    """
    return _text(obj, limit, depth, bool(color), "to_text")


@ends_at_caller
def show(
    obj: Any,
    *,
    limit: int | None = 100,
    file: Writable | None = None,
    color: bool | None = None,
    depth: int | None = None,
) -> None:
    """Print a graph as an indented tree; `to_text` describes it.

    Parameters
    ----------
    obj
        A registered object, a container, or any other value.
    limit
        The number of lines; None shows everything.
    file
        Where to write; None is `sys.stdout`.
    color
        Whether to use colors. None uses them if the file is a terminal and the environment variable
        NO_COLOR is not set.
    depth
        How many levels below `obj` are shown; None does not limit them.

    Raises
    ------
    TypeError
        An argument has a wrong type.
    ValueError
        `limit` is less than 1, or `depth` is negative.
    """
    out: Any = sys.stdout if file is None else file
    if out is None:  # a process without a standard output
        return
    if not hasattr(out, "write"):
        raise refuse("show: argument file", "an object with a method write", file)
    colored = is_colored(out) if color is None else bool(color)
    text = _text(obj, limit, depth, colored, "show")
    encoding = getattr(out, "encoding", None)
    if isinstance(encoding, str):  # characters that the file cannot hold are written as escapes
        text = text.encode(encoding, "backslashreplace").decode(encoding)
    out.write(f"{text}\n")


def is_colored(file: Any) -> bool:
    """Return whether a file shows colors."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    is_terminal = getattr(file, "isatty", None)
    try:
        return is_terminal is not None and bool(is_terminal())
    except ValueError:  # a closed file
        return False


def painted(kind: str, text: str, colored: bool) -> str:
    """Return a piece of a line, with the codes of its color."""
    code = _COLORS.get(kind) if colored else None
    return text if code is None else f"\x1b[{code}m{text}\x1b[0m"


def _text(obj: Any, limit: int | None, depth: int | None, colored: bool, where: str) -> str:
    return "\n".join(
        "".join(painted(kind, text, colored) for kind, text in pieces_of(row))
        for row in checked_rows(where, obj, limit, depth)
    )
