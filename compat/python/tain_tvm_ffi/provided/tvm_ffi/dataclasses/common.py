# SPDX-License-Identifier: Apache-2.0
"""What `dataclasses` has for its classes, for classes of registered types."""

from __future__ import annotations

import copy
from collections import namedtuple
from typing import TYPE_CHECKING, Any

from tain import Array, Dict, List, Map

from .. import _type_info
from .._type_schema import TypeSchema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .field import Field

__all__ = ["asdict", "astuple", "fields", "is_dataclass", "replace"]

_PLAIN = (bool, bytes, complex, float, int, str, type(None), type(...), type(NotImplemented))


def is_dataclass(obj: Any) -> bool:
    """Return whether `c_class` or `py_class` made a class, or the class of an object."""
    cls = obj if isinstance(obj, type) else type(obj)
    return getattr(cls, "__ffi_is_dataclass__", False) is True


def fields(obj_or_cls: Any) -> tuple[Field, ...]:
    """Return the fields of a class or object, those of the parents first."""
    if not is_dataclass(obj_or_cls):
        raise TypeError(
            "fields() argument must be a c_class or py_class type or instance, got "
            f"{type(obj_or_cls).__name__}"
        )
    cls = obj_or_cls if isinstance(obj_or_cls, type) else type(obj_or_cls)
    info = getattr(cls, "__tvm_ffi_type_info__", None)
    chain = []
    while info is not None:
        chain.append(info)
        info = info.parent_type_info
    made = [f.dataclass_field for info in reversed(chain) for f in info.fields or ()]
    return tuple(field for field in made if field is not None)


def replace(obj: Any, /, **changes: Any) -> Any:
    """Return a copy of an object in which fields have other values."""
    return obj.__replace__(**changes)


def _check_instance(where: str, obj: Any) -> None:
    if isinstance(obj, type) or not is_dataclass(obj):
        raise TypeError(f"{where}() should be called on c_class / py_class instances")


def asdict(obj: Any, *, dict_factory: Callable[..., Any] = dict) -> Any:
    """Return the fields of an object as a dict, at any depth."""
    _check_instance("asdict", obj)

    def of_object(one: Any) -> Any:
        return dict_factory([(f.name, _plain(getattr(one, f.name), of_object, dict_factory))
                             for f in fields(one)])  # fmt: skip

    return of_object(obj)


def astuple(obj: Any, *, tuple_factory: Callable[..., Any] = tuple) -> Any:
    """Return the fields of an object as a tuple, at any depth."""
    _check_instance("astuple", obj)

    def of_object(one: Any) -> Any:
        return tuple_factory([_plain(getattr(one, f.name), of_object, dict) for f in fields(one)])

    return of_object(obj)


def _plain(value: Any, of_object: Callable[[Any], Any], dict_factory: Callable[..., Any]) -> Any:
    """Return a value without objects of registered types."""
    cls = type(value)
    if cls in _PLAIN:
        return value

    def again(one: Any) -> Any:
        return _plain(one, of_object, dict_factory)

    if isinstance(value, (Array, List)):
        return [again(one) for one in value]
    if isinstance(value, (Map, Dict)):
        return dict_factory([(again(key), again(one)) for key, one in value.items()])
    if is_dataclass(value):
        return of_object(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return cls(*map(again, value))
    if isinstance(value, (list, tuple)):
        return cls(map(again, value))
    if isinstance(value, dict):
        items = [(again(key), again(one)) for key, one in value.items()]
        if hasattr(cls, "default_factory"):
            made = cls(value.default_factory)
            made.update(items)
            return made
        return cls(items)
    return copy.deepcopy(value)


def _make_namedtuple(typename: str, fields: tuple[Field, ...]) -> Any:
    """Return a named tuple whose values are converted as the fields convert them."""
    made: Any = namedtuple(typename, [field.name for field in fields])
    schemas = [
        TypeSchema.from_annotation(field.type) if field._ty_schema is None else field._ty_schema
        for field in fields
    ]
    made.__annotations__ = {f.name: f.type for f in fields if f.type is not None}
    plain_new, plain_make = made.__new__, made._make.__func__

    def new(cls: type, /, *args: Any, **kwargs: Any) -> Any:
        raw = plain_new(cls, *args, **kwargs)
        values = []
        for name, schema, value in zip(cls._fields, schemas, raw, strict=True):  # type: ignore[attr-defined]
            try:
                values.append(schema.convert(value))
            except (TypeError, OverflowError) as error:
                raise TypeError(f"{typename}.{name}: {error}") from error
        return plain_new(cls, *values)

    def make(cls: Any, iterable: Iterable[Any]) -> Any:
        return cls(*plain_make(cls, iterable))

    new.__defaults__ = plain_new.__defaults__
    made.__new__ = staticmethod(new)
    made._make = classmethod(make)
    return made


def type_info_of(cls: type) -> Any:
    """Return what is registered for a class."""
    return _type_info.of_class(cls)
