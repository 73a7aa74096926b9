# SPDX-License-Identifier: Apache-2.0
"""The protocols of dataclasses, rich, IPython and Jupyter for registered objects.

`tain._core` imports this module when one of the protocols is used for the first time. The functions
read the records of `type_info`, so they work for every type.
"""

import copy
import copyreg
import dataclasses
import sys
from collections.abc import Container, Iterable, Iterator
from functools import cache
from types import FunctionType
from typing import Any

from tain import Array, Dict, List, Map, Object, Shape, _core
from tain._constructors import is_decorated, is_unsettable, parameters_of

# ---------------------------------------------------------------- dataclasses


def _default_of(info: _core.ArgInfo | _core.FieldInfo) -> dict[str, Any]:
    if not info.has_default:
        return {}
    if info.default_factory is not None:
        return {"default_factory": info.default_factory}
    return {"default": info.default}


@cache
def _fields_of(info: _core.TypeInfo) -> dict[str, "dataclasses.Field[Any]"]:
    parameters = parameters_of(info)
    made = {}
    for field in info.fields:
        parameter = parameters.get(field.name)
        described: dataclasses.Field[Any] = dataclasses.field(
            **_default_of(parameter or field),
            init=parameter is not None,
            repr=field.repr,
            compare=field.compare,
            hash=None if field.hash else False,
            metadata={"doc": field.doc},
            kw_only=parameter is not None and parameter.kw_only,
        )
        described.name = field.name
        described.type = field.annotation
        # How dataclasses itself marks a field; it has no public way to describe one from outside.
        described._field_type = dataclasses._FIELD  # type: ignore[attr-defined]
        made[field.name] = described
    return made


def dataclass_fields(cls: type) -> dict[str, "dataclasses.Field[Any]"]:
    """Return a `dataclasses.Field` for each registered field, for `dataclasses.fields`.

    If the constructor has a parameter of the field's name, the Field has `init=True` and the
    default of the parameter.
    """
    return _fields_of(_core.type_info(cls))


def dataclass_fields_of(self: Any) -> dict[str, "dataclasses.Field[Any]"]:
    """Return the fields of an object, for `dataclasses.fields` and `dataclasses.replace`.

    If the constructor would not copy the object, or might not ask the conditions of fields, each
    Field has `init=True`, and an `InitVar` stands for the object itself: so the class, which
    `dataclasses.replace` calls, copies it.
    """
    info = _core.type_info(type(self))
    if info.unregistered_bytes:  # the object cannot be replaced; reading its entry says so
        return _replaceable_fields_of(info)
    loses = any(not field.init for field in _fields_of(info).values())
    checked = any(field.check for field in info.fields)
    if _has_own_init(type(self)) or not (loses or checked or _needs_record(self, info)):
        return _fields_of(info)
    return _replaceable_fields_of(info)


@cache
def _replaceable_fields_of(info: _core.TypeInfo) -> dict[str, "dataclasses.Field[Any]"]:
    made = {}
    for name, field in _fields_of(info).items():
        made[name] = copy.copy(field)
        made[name].init = True
    source: Any = dataclasses.field(default=None)
    source.name = _SOURCE
    source._field_type = dataclasses._FIELD_INITVAR  # type: ignore[attr-defined]
    made[_SOURCE] = source
    return made


class _Params:
    """The parameters of a dataclass, as `dataclasses` and Dask read them."""

    __slots__ = (
        *("init", "repr", "eq", "order", "unsafe_hash", "frozen"),
        *("match_args", "kw_only", "slots", "weakref_slot"),
    )

    def __init__(self, info: _core.TypeInfo) -> None:
        self.init = self.repr = self.match_args = True
        self.kw_only = self.slots = self.weakref_slot = False
        self.eq = info.has_eq
        self.order = info.has_order
        self.unsafe_hash = info.has_hash
        self.frozen = info.is_frozen


def dataclass_params(cls: type) -> _Params:
    """Return the parameters that `dataclasses` reads from a base class."""
    return _Params(_core.type_info(cls))


# The name of the entry for the object, see src/bindings/base/protocols.h.
_SOURCE = sys.intern("_replaced_object")


def _has_own_init(cls: type) -> bool:
    """Return whether Python code takes part in the construction of a class's objects."""
    names = ("__init__", "__new__", "__post_init__")
    return any(isinstance(getattr(cls, name, None), FunctionType) for name in names)


def _needs_record(self: Any, info: _core.TypeInfo) -> bool:
    """Return whether a copy by the constructor is impossible, or loses a field or an attribute."""
    if info.constructor is None:
        return True
    fields = {field.name for field in info.fields}
    parameters = parameters_of(info)
    if any(not arg.has_default and arg.name not in fields for arg in parameters.values()):
        return True
    if any(is_unsettable(field, parameters) for field in info.fields):
        return True
    if getattr(self, "__dict__", None):
        return True
    return any(hasattr(self, name) for name in copyreg._slotnames(type(self)))  # type: ignore[attr-defined]


def _is_unchanged(value: object, current: object) -> bool:
    """Return whether a value is what a field holds, so that it need not be written."""
    if value is current:
        return True
    if type(value) is not type(current):
        return False
    if isinstance(value, float) and isinstance(current, float):
        return value.hex() == current.hex()
    return isinstance(value, (int, str, bytes)) and value == current


def _check_names(info: _core.TypeInfo, names: Iterable[str], known: Container[str]) -> None:
    for name in names:
        if name not in known:
            near = _core.near_matches(name, [field.name for field in info.fields])
            raise TypeError(f"{info.key} has no field '{name}'.{near}")


def replaced(self: Any, /, **values: Any) -> Any:
    """Return a copy of an object in which fields have these values, whatever its constructor."""
    info = _core.type_info(type(self))
    _check_names(info, values, {field.name for field in info.fields})
    changes = {
        name: value
        for name, value in values.items()
        if not _is_unchanged(value, getattr(self, name))
    }
    if any(not field.init for field in _fields_of(info).values()) or _needs_record(self, info):
        return _core.copy_with(self, changes)
    return replace(self, **changes)


def replace(self: Any, /, **changes: Any) -> Any:
    """Return a new object of the same class with some fields changed: `copy.replace`.

    The constructor gets the fields that are its parameters; other writable fields are copied. An
    object that the constructor would not copy, because it needs what is no field, or because a
    field or an attribute would be lost, is copied by its record: read-only fields can be changed
    too, and the attributes of a Python subclass are kept.

    Raises
    ------
    TypeError
        A name in `changes` is not a field, or the value of a field does not fit; or the object has
        state that is no registered field, which would be lost.
    """
    cls = type(self)
    _core.check_replaceable(cls)
    if is_decorated(cls):
        return dataclasses.replace(self, **changes)
    info = _core.type_info(cls)
    fields = {field.name: field for field in info.fields}
    parameters = parameters_of(info)
    _check_names(info, changes, {**fields, **parameters})
    by_constructor = hasattr(cls, "__post_init__") or any(name not in fields for name in changes)
    if not by_constructor and (_has_own_init(cls) or _needs_record(self, info)):
        return _core.copy_with(self, changes)
    given = {name: getattr(self, name) for name in parameters if name in fields}
    given.update((name, value) for name, value in changes.items() if name in parameters)
    made = cls(**given)
    for name, field in fields.items():
        if name not in parameters and field.writable:
            setattr(made, name, changes[name] if name in changes else getattr(self, name))
        elif name not in parameters and name in changes:
            raise TypeError(f"{info.key}.{name} is read-only and no parameter of the constructor")
    checked = [name for name in changes if name in fields and fields[name].check]
    if checked:  # the constructor may not have asked the conditions
        _core.check_conditions(made, checked)
    return made


# ---------------------------------------------------------------- shown values


def _shown(self: Any) -> list[tuple[str, Any]]:
    """Return the names and values of the fields that `repr` shows."""
    if self.__chandle__() == 0:
        return []
    info = _core.type_info(type(self))
    return [(field.name, getattr(self, field.name)) for field in info.fields if field.repr]


def rich_repr(self: Any) -> Iterator[Any]:
    """Yield the names and values of fields, for `rich`; of a container, its elements."""
    if isinstance(self, _CONTAINERS) and self.__chandle__() != 0:
        yield _as_builtin(self)
    yield from _shown(self)


def _as_builtin(self: Any) -> Any:
    """Return the elements in a container of Python, whose items `rich` shows within its limits."""
    if not isinstance(self, (Map, Dict)):
        return list(self)
    try:
        return dict(self.items())
    except TypeError:  # Python cannot hash one of the keys
        return list(self.items())


def repr_pretty(self: Any, printer: Any, cycle: bool) -> None:
    """Print with IPython's pretty printer: the repr, which is broken into lines if it is long.

    Each field gets a line of its own, unless the repr is more than the reprs of the fields.
    """
    text = repr(self)
    if cycle or len(text) <= printer.max_width - printer.output_width or self.__chandle__() == 0:
        printer.text(text)
        return
    name, bracket, _ = text.partition("(")
    shown = [] if _has_own_repr(type(self)) else _shown(self)
    inside = ", ".join(f"{key}={value!r}" for key, value in shown)
    if not shown or text != f"{name}{bracket}{inside})":
        printer.text(text)
        return
    with printer.group(len(name) + 1, f"{name}(", ")"):
        for index, (key, value) in enumerate(shown):
            if index:
                printer.text(",")
                printer.breakable()
            printer.text(f"{key}=")
            printer.pretty(value)


_CONTAINERS = (Array, List, Map, Dict, Shape)


def _has_own_repr(cls: type) -> bool:
    return getattr(cls, "__repr__", None) is not vars(Object)["__repr__"]


def repr_html(self: Any) -> str:
    """Return the object as a tree that can be unfolded, for Jupyter: `tain.to_html`."""
    from tain._show.html import to_html

    return to_html(self)


def key_completions(self: Any) -> list[Any]:
    """Return the keys that IPython offers after `self[`."""
    return list(self) if isinstance(self, (Map, Dict)) else []


def dask_token(self: Any) -> tuple[str, bytes]:
    """Return what Dask makes the names of results from: the pickle, which is not recursive."""
    import pickle

    return "tain", pickle.dumps(self, protocol=5)
