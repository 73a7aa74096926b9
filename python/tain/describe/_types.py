# SPDX-License-Identifier: Apache-2.0
"""Types: from Clang's to the data of _model.py."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tain.describe._clang import Unit
from tain.describe._model import TypeRef

if TYPE_CHECKING:
    from clang.cindex import Cursor, Type

__all__ = ["Types"]

_ARITHMETIC = {
    *("BOOL", "CHAR_U", "UCHAR", "CHAR16", "CHAR32", "USHORT", "UINT", "ULONG", "ULONGLONG"),
    *("CHAR_S", "SCHAR", "WCHAR", "SHORT", "INT", "LONG", "LONGLONG", "FLOAT", "DOUBLE"),
    *("LONGDOUBLE",),
}


class Types:
    """The types of a unit."""

    def __init__(self, unit: Unit):
        #: the declarations of the classes that were met, by canonical name
        self.records: dict[str, Cursor] = {}
        self._unit = unit
        self._known: dict[tuple[str, str], TypeRef] = {}

    def of(self, type_: Type) -> TypeRef:
        canonical = type_.get_canonical()
        spelled = self._unit.spelling(type_)
        key = (spelled, self._unit.spelling(canonical))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._make(type_, canonical, *key)
        return known

    def _make(self, type_: Type, canonical: Type, spelled: str, text: str) -> TypeRef:
        bare = canonical
        is_reference = bare.kind.name in ("LVALUEREFERENCE", "RVALUEREFERENCE")
        is_rvalue = bare.kind.name == "RVALUEREFERENCE"
        refers_to_const = False
        if is_reference:
            bare = bare.get_pointee()
            refers_to_const = bare.is_const_qualified()
        is_pointer = bare.kind.name == "POINTER"
        if is_pointer:
            bare = bare.get_pointee()
            refers_to_const = bare.is_const_qualified()
        declaration = bare.get_declaration()
        kind: Any = {"ENUM": "enum", "RECORD": "record"}.get(bare.kind.name, "other")
        definition = declaration.get_definition() if kind != "other" else None
        bare_name = _without_const(self._unit.spelling(bare))
        if kind == "record":
            self.records.setdefault(bare_name, declaration)
        arguments = [
            self.of(bare.get_template_argument_type(at))
            for at in range(max(0, bare.get_num_template_arguments()) if kind == "record" else 0)
            if bare.get_template_argument_type(at).kind.name != "INVALID"
        ]
        if _is_private(type_):
            spelled = text
        return TypeRef(
            spelled=spelled,
            canonical=text,
            kind=kind,
            bare=bare_name,
            is_complete=kind == "other" or definition is not None or self._is_made(bare),
            is_reference=is_reference,
            is_rvalue=is_rvalue,
            is_pointer=is_pointer,
            is_const=canonical.is_const_qualified(),
            refers_to_const=refers_to_const,
            is_array="ARRAY" in bare.kind.name,
            is_arithmetic=bare.kind.name in _ARITHMETIC and not is_pointer,
            arguments=tuple(arguments),
        )

    def _is_made(self, record: Type) -> bool:
        """Whether a class is complete, or an instance of a template that is defined."""
        if record.get_size() > 0:
            return True
        template = self._unit.template_of(record.get_declaration())
        return template is not None and template.get_definition() is not None


def _is_private(type_: Type) -> bool:
    """Whether a type is named by an alias that only its class can use."""
    declaration = type_.get_declaration()
    return declaration.access_specifier.name in ("PRIVATE", "PROTECTED")


def _without_const(text: str) -> str:
    return re.sub(r"^(?:(?:const|volatile)\s+)+", "", text)
