# SPDX-License-Identifier: Apache-2.0
"""What the registered classes say about themselves: which fields a node has, and of which kind."""

from __future__ import annotations

import enum
from typing import NamedTuple

import tain

__all__ = ["ENUMS", "NODES", "PLACE", "Field", "fields_of"]

PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")


_classes = {key.removeprefix("pyast."): tain.get_class(key) for key in tain.type_keys("pyast.")}
_root = tain.get_class("pyast.AST")

ENUMS = {name: cls for name, cls in _classes.items() if issubclass(cls, enum.Enum)}
NODES = {
    name: cls
    for name, cls in _classes.items()
    if issubclass(cls, _root) and tain.type_info(cls).constructor
}


class Field(NamedTuple):
    """A field of the grammar, known by its C++ type."""

    name: str
    type: str  # as tain says it: `Array[pyast.stmt]`, `str | None`, `pyast.operator`

    @property
    def is_sequence(self) -> bool:
        """Whether it holds any number of things."""
        return self.type.startswith("Array[")

    @property
    def element(self) -> str:
        """What it holds, or holds many of."""
        return self.type.removeprefix("Array[").removesuffix("]").removesuffix(" | None")

    @property
    def is_node(self) -> bool:
        """Whether that is a node."""
        return self.element.startswith("pyast.") and not self.is_enum

    @property
    def is_enum(self) -> bool:
        """Whether that is a member of an enumeration."""
        return self.element.removeprefix("pyast.") in ENUMS


def fields_of(cls: type) -> tuple[Field, ...]:
    """Return the fields of a node class in the order of its constructor, the place aside."""
    constructor = tain.type_info(cls).constructor
    assert constructor is not None
    named = [Field(parameter.name, parameter.type) for parameter in constructor.args]
    return tuple(named[:-4] if named[-4:] and named[-1].name == PLACE[-1] else named)
