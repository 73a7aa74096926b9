# SPDX-License-Identifier: Apache-2.0
"""Descriptions of fields of types that are defined in Python."""

from __future__ import annotations

import copy
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Any

from .._type_info import MISSING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["KW_ONLY", "Field", "field", "init_property"]

_STRUCTURAL = (None, "ignore", "def", "def-pattern", "def-simple")


def _field_converter(value: Any) -> Any:
    """Tell type checkers that a field converts what it is given."""
    return value


class Field:
    """A field: its name, type, default, and what uses it."""

    __slots__ = (
        *("name", "type", "default", "default_factory", "frozen", "init", "repr", "hash"),
        *("compare", "kw_only", "metadata", "structural_eq", "doc", "converter", "extra_kwargs"),
        *("_ty_schema", "is_moved", "is_set_later"),
    )

    def __init__(
        self,
        name: str | None = None,
        _ty_schema: Any = None,
        *,
        default: object = MISSING,
        default_factory: Any = MISSING,
        frozen: bool = False,
        init: bool = True,
        repr: bool = True,
        hash: bool | None = True,
        compare: bool = False,
        kw_only: bool | None = False,
        metadata: Mapping[str, Any] | None = None,
        structural_eq: str | None = None,
        doc: str | None = None,
        converter: Callable[[Any], Any] = _field_converter,
        **extra_kwargs: Any,
    ) -> None:
        if default_factory is not MISSING:
            if default is not MISSING:
                raise ValueError("cannot specify both default and default_factory")
            if not callable(default_factory):
                given = type(default_factory).__name__
                raise TypeError(f"default_factory must be a callable, got {given}")
        if structural_eq not in _STRUCTURAL:
            raise ValueError(f"structural_eq must be one of {_STRUCTURAL}, got {structural_eq!r}")
        self.name = name
        self._ty_schema = _ty_schema
        self.type: Any = None
        self.default = default
        self.default_factory = default_factory
        self.frozen = frozen
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.kw_only = kw_only
        self.metadata = dict(metadata or {})
        self.structural_eq = structural_eq
        self.doc = doc
        self.converter = converter
        self.extra_kwargs = dict(extra_kwargs)
        self.is_moved = False  # whether the C++ constructor takes it by keyword only
        self.is_set_later = False  # whether the C++ constructor does not take it

    def __copy__(self) -> Field:
        made = object.__new__(type(self))
        for cls in type(self).__mro__:
            for name in vars(cls).get("__slots__", ()):
                if hasattr(self, name):
                    setattr(made, name, getattr(self, name))
        if hasattr(self, "__dict__"):
            made.__dict__.update(self.__dict__)
        made.metadata = dict(self.metadata)
        made.extra_kwargs = dict(self.extra_kwargs)
        return made

    def is_required(self) -> bool:
        """Return whether the field has no default."""
        return self.default is MISSING and self.default_factory is MISSING


def field(
    *,
    default: object = MISSING,
    default_factory: Any = MISSING,
    frozen: bool = False,
    init: bool = True,
    repr: bool = True,
    hash: bool | None = None,
    compare: bool = True,
    kw_only: bool | None = None,
    metadata: Mapping[str, Any] | None = None,
    structural_eq: str | None = None,
    doc: str | None = None,
    converter: Callable[[Any], Any] = _field_converter,
    **extra_kwargs: Any,
) -> Any:
    """Describe a field of a `py_class`, as `dataclasses.field` does."""
    return Field(
        default=default,
        default_factory=default_factory,
        frozen=frozen,
        init=init,
        repr=repr,
        hash=hash,
        compare=compare,
        kw_only=kw_only,
        metadata=metadata,
        structural_eq=structural_eq,
        doc=doc,
        converter=converter,
        **extra_kwargs,
    )


class init_property:
    """A field that the constructor computes from the other ones."""

    def __init__(self, func: Callable[[Any], Any]) -> None:
        self.func = func
        self.name: str | None = None

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        annotation = self.func.__annotations__.get("return", Any)
        if "__annotations__" not in vars(owner):
            owner.__annotations__ = {}
        owner.__annotations__[name] = annotation

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self

    def field(self) -> Field:
        """Return the field that holds the value."""
        made: Field = field(
            init=False, structural_eq="ignore", repr=False, hash=False, compare=False
        )
        return made


def copy_of(described: Field) -> Field:
    """Return a copy of a field."""
    return copy.copy(described)
