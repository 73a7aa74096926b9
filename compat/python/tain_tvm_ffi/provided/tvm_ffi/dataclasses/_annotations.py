# SPDX-License-Identifier: Apache-2.0
"""Evaluates the annotations of classes, which may name classes that are not defined yet."""

from __future__ import annotations

import builtins
import inspect
import sys
import typing
from typing import Any

from .. import _type_info
from .field import KW_ONLY

__all__ = ["evaluated", "is_class_var", "owners_of", "remember", "unresolved"]

# The classes that py_class has made, by module and name.
_by_module: dict[str, dict[str, type]] = {}


def remember(cls: type) -> None:
    """Let annotations of other classes find a class by its name."""
    _by_module.setdefault(cls.__module__, {})[cls.__name__] = cls


def forget(cls: type) -> None:
    """Let no annotation find a class any more."""
    _by_module.get(cls.__module__, {}).pop(cls.__name__, None)


def is_class_var(annotation: Any) -> bool:
    """Return whether an annotation says that a name is no field."""
    return annotation is typing.ClassVar or typing.get_origin(annotation) is typing.ClassVar


def owners_of(cls: type) -> list[type]:
    """Return the classes whose annotations become fields: `cls` and its unregistered bases."""
    registered = next((b for b in cls.__mro__[1:] if _is_registered(b)), object)
    bases = [b for b in reversed(cls.__mro__) if b not in registered.__mro__ and b is not object]
    return [base for base in bases if inspect.get_annotations(base)]


def _is_registered(cls: type) -> bool:
    return _type_info.of_class(cls) is not None


class _Names(dict[str, Any]):
    """What names in annotations mean; those without a meaning are noted."""

    def __init__(self, owner: type, cls: type, owners: list[type]) -> None:
        super().__init__()
        outer = vars(sys.modules.get(owner.__module__, builtins))
        here = {**{one.__name__: one for one in owners}, cls.__name__: cls}
        others = [space for name, space in _by_module.items() if name != owner.__module__]
        own = _by_module.get(owner.__module__, {})
        self.scopes = [here, own, outer, vars(builtins), *others]
        self.missing: list[str] = []

    def __missing__(self, name: str) -> Any:
        if name.startswith("__"):  # asked by a debugger or a test runner
            raise KeyError(name)
        for scope in self.scopes:
            if name in scope:
                return scope[name]
        self.missing.append(name)
        return Any


def evaluated(cls: type) -> tuple[dict[type, dict[str, Any]], list[str]]:
    """Return the annotations by class and name, and texts of those with unknown names.

    What is unknown in an annotation is `Any`.
    """
    owners = owners_of(cls)
    made: dict[type, dict[str, Any]] = {}
    missing: list[str] = []
    for owner in owners:
        made[owner] = {}
        for name, annotation in inspect.get_annotations(owner).items():
            names = _Names(owner, cls, owners)
            try:
                made[owner][name] = _value(annotation, names)
            except (NameError, AttributeError) as error:
                names.missing.append(str(error))
                made[owner][name] = Any
            if names.missing:
                missing.append(f"{name}: {annotation} ({', '.join(names.missing)} unknown)")
    return made, missing


def _value(annotation: Any, names: _Names) -> Any:
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    if isinstance(annotation, str):
        return _value(eval(annotation, {"__builtins__": {}}, names), names)
    if annotation is KW_ONLY or isinstance(annotation, type):
        return annotation
    parts = typing.get_args(annotation)
    if parts and any(isinstance(part, (str, typing.ForwardRef)) for part in parts):
        values = tuple(_value(part, names) for part in parts)
        origin = typing.get_origin(annotation)
        return typing.Union[values] if origin is typing.Union else origin[values]  # noqa: UP007
    return annotation


def unresolved(cls: type) -> list[str]:
    """Return texts of the annotations with names that are still unknown."""
    return evaluated(cls)[1]
