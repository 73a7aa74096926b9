# SPDX-License-Identifier: Apache-2.0
r"""The annotations of tain/reflection/annotations.h in a header.

A header that writes ``TAIN_NOTE(tain::doc("text"))`` has the attribute
``[[clang::annotate("tain::doc(\"text\")")]]`` here: what stands between the parentheses, as it is
written. What a registration takes too is handed on in that form.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any

from tain.describe._model import Notes

__all__ = ["notes_of", "text_of_literal"]

_CALL = re.compile(
    r"^(?:::)?(?:tain::)?(?P<name>\w+)\s*(?:\((?P<inside>.*)\)|\{(?P<braced>.*)\})$", re.S
)
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
#: the annotations without a value, and what they set
_WORDS = {
    "hidden": "hidden",
    "property": "property",
    "read_only": "read_only",
    "iterable": "iterable",
    "overridable": "overridable",
}


def text_of_literal(literal: str) -> str:
    """Return the text of a string literal of C++, or of several in a row.

    Raises
    ------
    ValueError
        It is no literal.
    """
    parts = _LITERAL.findall(literal)
    if not parts or _LITERAL.sub("", literal).strip():
        raise ValueError(f"{literal} is no string literal")
    return "".join(str(ast.literal_eval(part)) for part in parts)


def notes_of(annotations: Iterable[str]) -> Notes:
    """Return the annotations of a declaration as data.

    Raises
    ------
    ValueError
        An annotation that needs a literal has none.
    """
    said: dict[str, Any] = {}
    options: list[str] = []
    for annotation in annotations:
        text = annotation.strip()
        word = text.removeprefix("::").removeprefix("tain::")
        if word in _WORDS:
            said[_WORDS[word]] = True
            continue
        call = _CALL.match(text)
        name = call["name"] if call else ""
        inside = ((call["inside"] or call["braced"] or "") if call else "").strip()
        if name == "doc":
            said["doc"] = inside
        elif name == "named":
            said["name"] = text_of_literal(inside)
        elif name == "enum_kind":
            said["enum_kind"] = inside
        elif name == "default_is":
            said["default"] = inside
        elif name == "default_made_by":
            said["default_factory"] = inside
        elif text.startswith(("tain::", "::tain::")):
            if name == "kw_only":
                said["kw_only"] = True
            options.append(text)
    return Notes(options=tuple(options), **said)
