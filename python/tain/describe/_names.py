# SPDX-License-Identifier: Apache-2.0
"""The Python spelling of C++ names: snake_case, and names that are not keywords."""

from __future__ import annotations

import keyword

__all__ = ["python_name", "snake_case"]


def snake_case(name: str) -> str:
    """Return a C++ name in snake_case: ``getX`` is ``get_x``, ``HTTPServer`` is ``http_server``.

    Digits belong to the word before them (``Matrix4d`` is ``matrix4d``, ``utf8Text`` is
    ``utf8_text``, ``is2D`` is ``is2d``), and a plural of capitals is one word (``getIDs`` is
    ``get_ids``). Underscores are kept, also at both ends.
    """
    pieces: list[str] = []
    for i, char in enumerate(name):
        if i and char.isupper() and _begins_word(name, i):
            pieces.append("_")
        pieces.append(char.lower())
    return "".join(pieces)


def _begins_word(name: str, i: int) -> bool:
    """Return whether a word begins with the capital at an index that is not 0."""
    before = name[i - 1]
    if before.islower():
        return True
    if before != "_" and (before.isupper() or before.isdigit()):
        return name[i + 1 : i + 2].islower() and not _ends_plural(name, i)
    return False


def _ends_plural(name: str, i: int) -> bool:
    """Return whether ``IDs`` ends at this capital; the ``As`` of ``readJSONAs`` is a word."""
    if not name[i - 1].isupper() or name[i] in "AI" or name[i + 1] != "s":
        return False
    return not name[i + 2 : i + 3].islower()


def python_name(name: str) -> str:
    """Return a name that Python code can use: a keyword gets an underscore at its end."""
    return f"{name}_" if keyword.iskeyword(name) else name
