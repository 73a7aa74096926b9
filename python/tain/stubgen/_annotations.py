# SPDX-License-Identifier: Apache-2.0
"""Types as code: from the Python objects that the registry gives for declared types."""

from __future__ import annotations

import collections.abc
import enum
import types
import typing
from typing import Any

import tain
from tain import _core
from tain.stubgen._names import Names, is_spelled

__all__ = ["Place", "annotation_text", "home_of", "is_registered"]


class Place(enum.Enum):
    """The use that is made of a value of a type."""

    RESULT = enum.auto()  # Python gets it, or C++ passes it to an override
    PARAMETER = enum.auto()  # Python gives it: other types are converted


_SEQUENCES = tuple(cls for _, cls, parts in _core.builtin_types() if parts == 1)
_MAPPINGS = tuple(cls for _, cls, parts in _core.builtin_types() if parts == 2)
_AS_BYTES = ("bytearray", "memoryview")
_UNIONS = (types.UnionType, typing.Union)


def annotation_text(annotation: Any, place: Place, names: Names) -> str:
    """Return the code of a type: of an annotation, which is a str if the type is unknown.

    Parameters are written as what the conversion accepts, results as what it returns.
    """

    def text(inner: Any) -> str:
        return annotation_text(inner, place, names)

    if annotation is None or annotation is type(None):
        return "None"
    if annotation is Ellipsis:
        return "..."
    if annotation is Any or isinstance(annotation, (str, typing.ForwardRef)):
        return names.use("typing", "Any")
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return text(arguments[0])
    if origin in _UNIONS:
        return _union([text(part) for part in arguments])
    if origin is collections.abc.Callable:
        return _callable(arguments, place, names)
    if origin is not None:
        return _generic(origin, arguments, place, names)
    if annotation in (*_SEQUENCES, *_MAPPINGS):
        any_text = names.use("typing", "Any")
        count = 1 if annotation in _SEQUENCES else 2
        return _brackets(_container(annotation, place, names), [any_text] * count)
    if annotation is collections.abc.Callable:
        return names.use("collections.abc", "Callable") + f"[..., {names.use('typing', 'Any')}]"
    return _class(annotation, place, names)


def _union(parts: list[str]) -> str:
    """Join alternatives; a part may be a union itself, and `None` comes last."""
    flat = dict.fromkeys(parts)
    if any(part.endswith(".Any") for part in flat):
        return next(part for part in flat if part.endswith(".Any"))
    none = flat.pop("None", 0) is None
    return " | ".join([*flat, *(["None"] if none else [])])


def _callable(arguments: tuple[Any, ...], place: Place, names: Names) -> str:
    # Python's arguments to a callable of C++ are converted, and those of C++ to one of Python not.
    given = Place.RESULT
    parameters, result = arguments
    if isinstance(parameters, list):
        inner = ", ".join(annotation_text(each, given, names) for each in parameters)
        first = f"[{inner}]"
    else:
        first = "..."
    base = names.use("collections.abc", "Callable")
    return f"{base}[{first}, {annotation_text(result, place, names)}]"


def _generic(origin: Any, arguments: tuple[Any, ...], place: Place, names: Names) -> str:
    inner = [annotation_text(each, place, names) for each in arguments]
    if origin is tuple:
        return _brackets(names.use("builtins", "tuple"), inner or ["()"])
    if origin in (*_SEQUENCES, *_MAPPINGS):
        return _brackets(_container(origin, place, names), inner)
    if isinstance(origin, type) and origin.__module__ in ("collections.abc", "builtins"):
        return _brackets(names.use(origin.__module__, origin.__name__), inner)
    return _class(origin, place, names)


def _brackets(base: str, inner: list[str]) -> str:
    return f"{base}[{', '.join(inner)}]"


def _container(cls: Any, place: Place, names: Names) -> str:
    if place is Place.RESULT:
        return names.use("tain", cls.__name__)
    return names.use("collections.abc", "Iterable" if cls in _SEQUENCES else "Mapping")


def _class(cls: Any, place: Place, names: Names) -> str:
    """Return the code of a class, with what else a parameter of its type takes."""
    module, name = home_of(cls) if isinstance(cls, type) else ("", "")
    if not name:
        return names.use("typing", "Any")
    if place is Place.RESULT:
        made = names.use(module, name)
        any_text = names.use("typing", "Any") if _is_ndarray(cls) else ""
        return f"{made}[{any_text}, {any_text}]" if any_text else made
    if _is_ndarray(cls) or cls in (tain.Tensor, tain.dtype, tain.Object):
        # what the Tensor of a property is made of; arrays of every library; names of data types;
        # lists and dicts
        return names.use("typing", "Any")
    if cls is tain.Shape:
        return f"{names.use('collections.abc', 'Iterable')}[{names.use('builtins', 'int')}]"
    if cls is bytes:
        return " | ".join(names.use("builtins", each) for each in ("bytes", *_AS_BYTES))
    if cls is tain.Error:
        return names.use("builtins", "BaseException")
    text = names.use(module, name)
    if issubclass(cls, enum.Enum):
        value = "str" if issubclass(cls, str) else "int"
        return f"{text} | {names.use('builtins', value)}"
    return text


def _is_ndarray(cls: type) -> bool:
    return (cls.__module__, cls.__qualname__) == ("numpy", "ndarray")


def home_of(cls: Any) -> tuple[str, str]:
    """Return the module and the name under which a class is imported.

    A class that no import statement reaches is represented by its nearest base that one does.
    """
    for base in cls.__mro__:
        module, name = base.__module__, base.__qualname__
        if module == "builtins":
            return (module, name) if base is cls else ("typing", "Any")
        if module in ("tain", "tain._core"):
            if getattr(tain, name, None) is base:
                return "tain", name
            continue
        if is_importable(module, name):
            return module, name
        if not is_registered(base) and "<locals>" not in name:
            return module, name
    return "", ""


def is_importable(module: str, name: str) -> bool:
    """Return whether `from module import name` can be written and gives a registered class."""
    path = name.split(".")  # of a nested class
    if not all(map(is_spelled, [*module.split("."), *path])):
        return False
    import importlib

    try:
        found: Any = importlib.import_module(module)
        for part in path:
            found = getattr(found, part, None)
        return isinstance(found, type)
    except ImportError:
        return False


def is_registered(cls: type) -> bool:
    """Return whether a class is that of a registered type or enum, or an exception of C++."""
    try:
        _core.type_info(cls)
    except TypeError:
        return False
    return True
