# SPDX-License-Identifier: Apache-2.0
"""Default arguments as any scope can write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tain.describe._clang import Unit

if TYPE_CHECKING:
    from clang.cindex import Cursor

__all__ = ["Expressions"]

#: a qualified name, or what must not be searched for names: literals and comments
_PIECE = re.compile(
    r"""(?P<skip>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|/\*.*?\*/|//[^\n]*|\b[0-9][\w.']*)
    |(?P<name>(?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)""",
    re.S | re.X,
)
_LAST = re.compile(r"[A-Za-z_]\w*$")
_MEMBERS = {"FIELD_DECL", "CXX_METHOD", "PARM_DECL"}


class Expressions:
    """Writes expressions of a unit's headers with the full names of what they mention."""

    def __init__(self, unit: Unit):
        self._unit = unit

    def qualified(self, expression: Cursor) -> str:
        """Return the text of an expression with full names."""
        start = expression.extent.start
        text = self._unit.source(expression)
        if not text:
            return ""
        names = self._names_in(expression, start.file.name)

        def replaced(match: re.Match[str]) -> str:
            name = match["name"]
            if name is None:
                return match[0]
            last = _LAST.search(name)
            at = match.start() + (last.start() if last else 0)
            return names.get(start.offset + len(text[:at].encode()), match[0])

        return " ".join(_PIECE.sub(replaced, text).split())

    def _names_in(self, expression: Cursor, file: str) -> dict[int, str]:
        """Return the full names that an expression mentions, by their offsets in the file."""
        names: dict[int, str] = {}
        for cursor in expression.walk_preorder():
            if cursor.kind.name not in ("DECL_REF_EXPR", "TYPE_REF", "TEMPLATE_REF"):
                continue
            target = cursor.referenced
            if target is None or target.kind.name in _MEMBERS:
                continue
            location = cursor.location
            if location.file is None or location.file.name != file:
                continue
            offset = location.offset
            if cursor.kind.name == "DECL_REF_EXPR":
                # A qualified name begins at its qualifier.
                spelled = self._unit.source(cursor)
                last = re.search(rf"{re.escape(target.spelling)}$", spelled)
                offset = cursor.extent.start.offset + (
                    len(spelled[: last.start()].encode()) if last else 0
                )
            names[offset] = _full_name(target, self._unit)
        return names


def _full_name(target: Cursor, unit: Unit) -> str:
    if target.kind.is_declaration() and target.kind.name in (
        *("CLASS_DECL", "STRUCT_DECL", "ENUM_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL"),
    ):
        return unit.spelling(target.type)
    names = [target.spelling]
    scope = target.semantic_parent
    while scope is not None and scope.kind.name != "TRANSLATION_UNIT":
        is_inline = scope.kind.name == "NAMESPACE" and unit.is_inline_namespace(scope)
        if scope.spelling and not is_inline and scope.kind.name != "LINKAGE_SPEC":
            is_unnamed = scope.kind.name == "ENUM_DECL" and "(" in scope.spelling
            if not is_unnamed:
                names.append(scope.spelling)
        scope = scope.semantic_parent
    return "::".join(reversed(names))
