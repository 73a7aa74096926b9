# SPDX-License-Identifier: Apache-2.0
"""Where a declaration stands, and what it is called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tain.describe._model import FunctionKind

if TYPE_CHECKING:
    from clang.cindex import Cursor

__all__ = [
    "kind_of",
    "ref_qualifier",
    "says",
    "has_children",
    "has_name",
    "is_inline",
    "is_public",
    "is_virtual_base",
    "path_of",
    "place_of",
    "qualified",
]

_IDENTIFIER = re.compile(r"^[A-Za-z_]\w*$")


def has_name(cursor: Cursor) -> bool:
    return bool(cursor.spelling) and _IDENTIFIER.match(cursor.spelling) is not None


def has_children(cursor: Cursor) -> bool:
    definition = cursor.get_definition()
    return definition is not None and any(True for _ in definition.get_children())


def is_public(cursor: Cursor) -> bool:
    return bool(cursor.access_specifier.name == "PUBLIC")


def is_virtual_base(cursor: Cursor) -> bool:
    return any(token.spelling == "virtual" for token in cursor.get_tokens())


def path_of(cursor: Cursor | None) -> tuple[str, ...]:
    """Return the names of a scope and of those around it, without unnamed and inline ones."""
    names: list[str] = []
    while cursor is not None and cursor.kind.name != "TRANSLATION_UNIT":
        if cursor.kind.name == "NAMESPACE" and is_inline(cursor):
            cursor = cursor.semantic_parent
            continue
        if has_name(cursor):
            names.append(cursor.spelling)
        cursor = cursor.semantic_parent
    return tuple(reversed(names))


def is_inline(cursor: Cursor) -> bool:
    from clang import cindex

    return bool(cindex.conf.lib.clang_Cursor_isInlineNamespace(cursor))


def qualified(cursor: Cursor) -> str:
    """Return the name of a declaration with its scopes, as C++ writes it."""
    names: list[str] = []
    while cursor is not None and cursor.kind.name != "TRANSLATION_UNIT":
        is_scoped_out = cursor.kind.name == "ENUM_DECL" and not has_name(cursor)
        is_unseen = cursor.kind.name == "NAMESPACE" and (is_inline(cursor) or not cursor.spelling)
        if cursor.kind.name != "LINKAGE_SPEC" and not is_scoped_out and not is_unseen:
            names.append(cursor.spelling)
        cursor = cursor.semantic_parent
    return "::".join(reversed(names))


def place_of(cursor: Cursor) -> str:
    file = cursor.location.file
    return f"{file.name if file is not None else '?'}:{cursor.location.line}"


def kind_of(cursor: Cursor, is_member: bool) -> FunctionKind:
    kind = cursor.kind.name
    if kind == "CONSTRUCTOR":
        return "constructor"
    if kind == "CONVERSION_FUNCTION":
        return "conversion"
    if re.match(r"operator\W", cursor.spelling):
        return "operator"
    if not is_member:
        return "function"
    return "static" if cursor.is_static_method() else "method"


def ref_qualifier(cursor: Cursor) -> Any:
    kind = cursor.type.get_ref_qualifier().name
    return {"LVALUE": "&", "RVALUE": "&&"}.get(kind, "")


def says(text: str, word: str) -> bool:
    """Whether a function is `= default` or `= delete`."""
    return re.search(rf"=\s*{word}\s*$", text) is not None
