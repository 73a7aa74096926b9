# SPDX-License-Identifier: Apache-2.0
"""Translates annotations of a class to the type expressions of C++: `list[int]` to `List[int]`."""

from __future__ import annotations

import ast
import builtins
import collections.abc as abc
import contextlib
import dataclasses
import enum
import inspect
import sys
import types
import typing
from typing import Any

from tain import Object, _core

__all__ = ["Reader", "is_class_var"]

_BUILTIN = _core.builtin_types()
# The type expressions of classes, of some by key. A class that is neither here nor registered is
# `Any`.
_NAMES: dict[Any, str] = {
    **{cls: name for name, cls, _ in _BUILTIN},
    type(None): "None",
    object: "Any",
    list: "List",
    dict: "Dict",
    tuple: "Array",
    abc.Sequence: "Array",
    abc.Collection: "Array",
    abc.Iterable: "Array",
    abc.MutableSequence: "List",
    abc.Mapping: "Map",
    abc.MutableMapping: "Dict",
}
_PARTS = {name: parts for name, _, parts in _BUILTIN if parts}


def is_class_var(annotation: Any) -> bool:
    """Return whether an annotation is `ClassVar`, so that its name is not a field."""
    return annotation is typing.ClassVar or typing.get_origin(annotation) is typing.ClassVar


class Reader:
    """Reads the annotations of one class."""

    def __init__(self, key: str, cls: type, names: abc.Mapping[str, Any]) -> None:
        self.key = key
        self.cls = cls
        namespace = key[: key.rfind(".") + 1]
        module = sys.modules.get(cls.__module__)
        outer = vars(module) if module is not None else {}
        self.namespace = namespace
        own = {**names, **vars(cls), cls.__name__: cls}
        self.scopes: list[abc.Mapping[str, Any]] = [own, outer, vars(builtins)]

    def annotations(self) -> list[tuple[str, Any]]:
        """Return names and evaluated annotations of the class, without those of its bases."""
        own = inspect.get_annotations(self.cls)
        return [(name, self.evaluated(name, annotation)) for name, annotation in own.items()]

    def evaluated(self, name: str, annotation: Any) -> Any:
        if isinstance(annotation, typing.ForwardRef):
            annotation = annotation.__forward_arg__
        if not isinstance(annotation, str):
            return annotation
        try:
            tree = ast.parse(annotation.strip(), "<string>", "eval")
            # A debugger or a test runner looks for other names in the frame that evaluates.
            asked = (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
            names = {each: self.meaning(each) for each in asked}
            return self.evaluated(name, eval(compile(tree, "<string>", "eval"), {}, names))
        except Exception as error:
            raise TypeError(
                f"{self.key}.{name}: the annotation {annotation!r} cannot be evaluated: {error}"
            ) from error

    def meaning(self, name: str) -> Any:
        """Return what a name in an annotation stands for. An unknown one stands for a type key."""
        for scope in self.scopes:
            if name in scope:
                return scope[name]
        if name.startswith("__") and name.endswith("__"):
            raise NameError(f"name {name!r} is not defined")
        return type(name, (), {"__tain_unknown__": self.namespace + name})

    def expression(self, name: str, annotation: Any) -> str:
        """Return the type expression of a field's annotation."""
        annotation = self.evaluated(name, annotation)
        if isinstance(annotation, (dataclasses.InitVar,)):
            return self.expression(name, annotation.type)
        origin = typing.get_origin(annotation)
        if origin is None:
            return self.plain(annotation)
        parts = typing.get_args(annotation)
        if origin in (typing.Annotated, typing.Final):
            return self.expression(name, parts[0])
        if origin is typing.Union or origin is getattr(types, "UnionType", None):
            return self.union([self.expression(name, part) for part in parts])
        if origin is tuple:
            return self.tuple_of(name, parts)
        base = self.plain(origin)
        if _PARTS.get(base) != len(parts):
            return base
        return f"{base}[{', '.join(self.expression(name, part) for part in parts)}]"

    def union(self, parts: list[str]) -> str:
        return "Any" if "Any" in parts else " | ".join(dict.fromkeys(parts))

    def tuple_of(self, name: str, parts: tuple[Any, ...]) -> str:
        if len(parts) == 2 and parts[1] is ...:
            return f"Array[{self.expression(name, parts[0])}]"
        return f"tuple[{', '.join(self.expression(name, part) for part in parts) or '()'}]"

    def plain(self, annotation: Any) -> str:
        """Return the type expression of an annotation without type arguments."""
        if annotation is self.cls:
            return self.key
        try:
            if annotation in _NAMES:
                return _NAMES[annotation]
        except TypeError:  # the annotation is unhashable, so it is no type
            return "Any"
        if isinstance(annotation, typing.TypeVar):
            bound = annotation.__bound__
            return "Any" if bound is None else self.expression(annotation.__name__, bound)
        if not isinstance(annotation, type):
            return "Any"
        unknown = vars(annotation).get("__tain_unknown__")
        if unknown is not None:
            return str(unknown)
        if issubclass(annotation, (Object, enum.Enum)):
            with contextlib.suppress(TypeError):  # the enum is not registered
                key = str(_core.type_info(annotation).key)
                return _NAMES.get(key, key)
        return "Any"
