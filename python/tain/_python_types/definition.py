# SPDX-License-Identifier: Apache-2.0
"""Defines one type in Python: its annotations become fields of a C++ type; C++ gets its methods."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING
from typing import Any

from tain import Object, _adoption, _annotations, _core
from tain._python_types.identity import doc_of, known, origin
from tain._python_types.init_writer import make_init

__all__ = ["Definition"]


class Definition:
    """One use of py_class."""

    def __init__(
        self, key: str, cls: type, options: types.SimpleNamespace, names: Mapping[str, Any]
    ) -> None:
        self.key = key
        self.cls = cls
        self.options = options
        self.fields: dict[str, dataclasses.Field[Any]] = {}
        self.init_vars: dict[str, dataclasses.Field[Any]] = {}
        self.reader = _annotations.Reader(key, cls, names)
        self.parent = next((b for b in cls.__mro__ if issubclass(b, Object)), Object)

    def run(self) -> type:
        self.check()
        self.read_fields()
        unit, file = origin(self.cls)
        _core.define_type(
            self.key,
            doc_of(self.cls),
            unit,
            file,
            self.parent,
            self.flags(),
            [self.described(name, field) for name, field in self.fields.items()],
        )
        return self.dress(self.bare())

    def check(self) -> None:
        options = self.options
        if options.structural is not None and options.structural not in _core.structural_kinds:
            raise ValueError(
                f"{self.key}: structural: expected {_listed(_core.structural_kinds)}, got "
                f"{options.structural!r}"
            )
        if options.order and not options.eq:
            raise ValueError(f"{self.key}: eq must be true if order is true")
        if self.cls is self.parent and known(self.key) is self.cls:
            raise TypeError(f"{self.key}: the class is already defined by py_class")

    def read_fields(self) -> None:
        """Sort the annotations into fields and init-only variables."""
        kw_only = self.options.kw_only
        for name, annotation in self.reader.annotations():
            if annotation is dataclasses.KW_ONLY:
                kw_only = True
                continue
            if _annotations.is_class_var(annotation):
                continue
            if name.startswith("__") and name.endswith("__"):
                raise TypeError(f"{self.key}.{name}: names of this form are reserved for Python")
            given = vars(self.cls).get(name, MISSING)
            if isinstance(given, types.MemberDescriptorType):
                raise TypeError(
                    f"{self.key}.{name}: a field cannot be in __slots__: it is stored in the C++ "
                    "object"
                )
            described = given if isinstance(given, dataclasses.Field) else None
            if described is None:
                described = dataclasses.field(default=given)
            if described.kw_only is MISSING:
                described.kw_only = kw_only
            described.name = name
            described.type = annotation
            self.check_default(described)
            is_init_var = isinstance(annotation, dataclasses.InitVar)
            (self.init_vars if is_init_var else self.fields)[name] = described
        for name, value in vars(self.cls).items():
            if isinstance(value, dataclasses.Field) and name not in self.fields | self.init_vars:
                raise TypeError(f"{self.key}.{name} is a field without an annotation")

    def check_default(self, described: dataclasses.Field[Any]) -> None:
        default = described.default
        if default is not MISSING and type(default).__hash__ is None:
            raise ValueError(
                f"{self.key}.{described.name}: a default of type {type(default).__name__} would be "
                "shared by all objects: use tain.field(default_factory=...)"
            )

    def flags(self) -> list[str]:
        options = self.options
        flags = [name for name in ("eq", "order", "frozen") if getattr(options, name)]
        if options.unsafe_hash or (options.eq and options.frozen):
            flags.append("hash")
        if options.structural is not None:
            flags.append(options.structural)
        return flags

    def described(
        self, name: str, field: dataclasses.Field[Any]
    ) -> tuple[str, str, str, list[str], object]:
        """Return the description of a field for `_core.define_type`."""
        flags = [] if self.options.frozen else ["writable"]
        default: object = None
        if field.default is not MISSING:
            flags.append("default")
            default = field.default
        elif field.default_factory is not MISSING:
            flags += ["default", "factory"]
            default = field.default_factory
        elif self.has_own_init:
            # The __init__ of the class sets the field, before or after the C++ object is made.
            flags.append("no_init")
        for flag, wanted in (
            ("no_init", not (field.init and self.options.init)),
            ("no_repr", not field.repr),
            ("no_compare", not field.compare),
            ("no_hash", field.hash is False),
            ("kw_only", field.kw_only is True),
        ):
            if wanted and flag not in flags:
                flags.append(flag)
        structural = field.metadata.get("structural")
        if structural is not None:
            flags.append(f"structural_{structural}")
        doc = field.metadata.get("doc", "")
        return name, self.reader.expression(name, field.type), doc, flags, default

    @property
    def has_own_init(self) -> bool:
        return "__init__" in vars(self.cls)

    def bare(self) -> type:
        """Attach the class to its type, without the defaults, which would hide the fields."""
        for name in (*self.fields, *self.init_vars):
            if name in vars(self.cls):
                delattr(self.cls, name)
        post_init = hasattr(self.cls, "__post_init__") and not self.has_own_init
        calls_it = post_init and self.options.init and not self.all_init_vars
        return _core.graft_class(self.key, self.cls, self.options.slots, calls_it)

    @property
    def all_init_vars(self) -> dict[str, dataclasses.Field[Any]]:
        """Return the init-only variables, those of the parents first."""
        return {**getattr(self.cls, "__tain_init_vars__", {}), **self.init_vars}

    def dress(self, cls: type) -> type:
        """Add the attributes that the options ask for, and register the methods."""
        options: Any = self.options
        made: Any = cls
        own = set(vars(cls))
        if init_vars := self.all_init_vars:
            made.__tain_init_vars__ = init_vars
            if options.init and "__init__" not in own:
                made.__init__ = make_init(cls, self.key, init_vars)
        if not options.repr and "__repr__" not in own:
            made.__repr__ = object.__repr__
        if not options.match_args and "__match_args__" not in own:
            made.__match_args__ = ()  # type: ignore[misc]
        for name, value in list(vars(cls).items()):
            if name.startswith("__") and name.endswith("__"):
                continue
            if isinstance(value, types.FunctionType):
                _core.define_method(self.key, name, doc_of(value), _caller(name), False)
            elif isinstance(value, staticmethod):
                function = value.__func__
                _core.define_method(self.key, name, doc_of(function), function, True)
        _adoption.refresh_name(self.key)
        return cls


def _listed(words: tuple[str, ...]) -> str:
    """Return `'a', 'b' or 'c'`."""
    return ", ".join(map(repr, words[:-1])) + f" or {words[-1]!r}"


def _caller(name: str) -> Callable[..., Any]:
    """Return a function for C++ that calls the method of the object's class, or its override."""

    def call(self: Any, /, *args: Any) -> Any:
        return getattr(self, name)(*args)

    call.__name__ = name
    return call
