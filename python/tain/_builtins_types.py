# SPDX-License-Identifier: Apache-2.0
"""The result of `tain.from_builtins` for data and a type: the parts, their types, and the whole.

No function here calls itself for a part: a part is made after `plan` returned its type.
"""

from __future__ import annotations

import collections
import dataclasses
import sys
import types
import typing
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from enum import Enum
from typing import Any, NoReturn

from tain import Array, Device, Dict, Function, List, Map, Object, Shape, Tensor, _core, dtype
from tain._builtins import shown_key, to_builtins
from tain._checks import loaded
from tain._constructors import is_decorated, is_unsettable, parameters_of

__all__ = ["LEAVES", "Making", "RefusedDataError", "plan"]

_Part = tuple[str, Any, Any]  # the place of a part for messages, (its key, its type), its data
_TAIN_VALUES = (Array, List, Map, Dict, Shape, Function, Tensor)
_NUMBERS = {int: (int,), float: (float, int), complex: (complex, float, int)}
LEAVES = (bool, int, float, complex, str, bytes, type(None))


def _typing(*names: str) -> list[Any]:
    """Return what has these names in `typing`, and in typing_extensions if that is in use."""
    modules = (typing, sys.modules.get("typing_extensions"))
    return [getattr(each, name) for each in modules for name in names if hasattr(each, name)]


class RefusedDataError(Exception):
    """Data that does not fit; the text says why, `place` where in the container."""

    def __init__(self, text: str, place: str = "") -> None:
        super().__init__(text)
        self.place = place


class Making:
    """A value whose parts are being made."""

    def __init__(self, parts: Iterator[_Part], finish: Callable[[list[Any], list[Any]], Any]):
        self.parts = parts
        self.finish = finish  # makes the value from the keys and the parts
        self.keys: list[Any] = []
        self.made: list[Any] = []
        self.place = ""
        self.data: object = None  # held, so that no other object gets its identity
        self.identity: object = None  # of the data as this type; None if it is not kept


def plan(wanted: Any, data: Any) -> Any:
    """Return how to make a value of a type from data, a `Making`; or the value if it is made."""
    wanted = _bare(wanted)
    origin = typing.get_origin(wanted)
    args = typing.get_args(wanted)
    if origin is typing.Union or origin is types.UnionType:
        return plan(_option(wanted, args, data), data)
    if origin in _typing("Literal"):
        if any(type(one) is type(data) and one == data for one in args):
            return data
        _refuse(f"one of {', '.join(map(repr, args))}", data)
    kind = origin if isinstance(origin, type) else wanted
    if kind is None:
        kind = type(None)
    if not isinstance(kind, type) or _is_undeclared(kind):
        return data  # nothing is declared, or what only a type checker knows
    if issubclass(kind, Enum):
        return _member(kind, data)
    if _is_dataclass(kind):
        return data if isinstance(data, kind) else _plan_dataclass(kind, args, data)
    if _is_registered(kind):
        return data if isinstance(data, kind) else _plan_object(kind, data)
    if kind in LEAVES:
        return _leaf(kind, data)
    return _plan_container(kind, args, data)


def _bare(wanted: Any) -> Any:
    """Return a type without what surrounds it: Annotated, Required, NewType, an alias."""
    for _ in range(100):
        if typing.get_origin(wanted) in _typing(
            "Annotated", "Final", "ClassVar", "Required", "NotRequired"
        ):
            wanted = typing.get_args(wanted)[0]
        elif isinstance(wanted, typing.NewType):
            wanted = wanted.__supertype__
        elif type(wanted).__name__ == "TypeAliasType":
            wanted = wanted.__value__
        else:
            return wanted
    raise RefusedDataError(f"{wanted} is an alias of itself")


def _refuse(expected: str, data: object) -> NoReturn:
    raise RefusedDataError(f"expected {expected}, got {_core.given_text(data)}")


def _name(wanted: Any) -> str:
    if wanted is None or wanted is type(None):
        return "None"
    if isinstance(wanted, type) and not typing.get_args(wanted):
        return _core.type_info(wanted).key if _is_registered(wanted) else wanted.__name__
    return str(wanted).replace("typing.", "")


# ---------------------------------------------------------------- values without parts


def _leaf(kind: type, data: Any) -> Any:
    if kind in _NUMBERS:
        if isinstance(data, _NUMBERS[kind]) and (kind is int or not isinstance(data, bool)):
            return kind(data) if type(data) in (int, float) and kind is not int else data
    elif isinstance(data, kind):
        return data
    _refuse(_name(kind), data)


def _member(kind: type[Enum], data: Any) -> Any:
    try:
        return kind(data)
    except ValueError:
        for member in kind:  # a tuple is a list in the data
            if isinstance(data, list) and to_builtins(member) == data:
                return member
        raise


def _key(wanted: Any, key: Any) -> Any:
    """Return the key of a mapping; a text may stand for a number."""
    wanted = _bare(wanted)
    if isinstance(key, str) and wanted in (int, float):
        try:
            return wanted(key)
        except ValueError:
            pass
    try:
        made = plan(wanted, key)
    except RefusedDataError as refusal:
        raise RefusedDataError(str(refusal), f"[{shown_key(key)}]: a key") from None
    if isinstance(made, Making):
        raise RefusedDataError(f"a key of type {_name(wanted)} has no form in data")
    return made


# ---------------------------------------------------------------- unions


def _option(union: Any, options: Sequence[Any], data: Any) -> Any:
    """Return the first type of a union that fits, exact types first."""
    for one in options:
        bare = _bare(one)
        if _is_undeclared(bare) or bare is type(data):
            return one
    for one in options:
        if _fits(_bare(one), data, 1):
            return one
    _refuse(" | ".join(map(_name, options)), data)


def _fits(wanted: Any, data: Any, depth: int) -> bool:
    """Return whether data looks like a type; looks at parts in as many levels as `depth`."""
    origin = typing.get_origin(wanted)
    args = typing.get_args(wanted)
    if origin is typing.Union or origin is types.UnionType:
        return any(_fits(_bare(one), data, depth) for one in args)
    if origin is typing.Literal:
        return any(type(one) is type(data) and one == data for one in args)
    kind = origin if isinstance(origin, type) else wanted
    if kind is None:
        return data is None
    if not isinstance(kind, type) or _is_undeclared(kind) or isinstance(data, kind):
        return not _is_container(kind) or depth == 0 or _parts_fit(kind, args, data, depth)
    if _is_dataclass(kind) or _is_registered(kind):
        return isinstance(data, Mapping) and set(data) <= _known_names(kind)
    if issubclass(kind, Enum) or kind in LEAVES:
        try:
            plan(kind, data)
        except (RefusedDataError, ValueError):
            return False
        return True
    if issubclass(kind, (Map, Dict, Mapping)):
        return isinstance(data, Mapping) and _parts_fit(kind, args, data, depth)
    if issubclass(kind, (Device, dtype)):
        return isinstance(data, str)
    return _is_container(kind) and _is_sequence(data) and _parts_fit(kind, args, data, depth)


def _parts_fit(kind: type, args: Sequence[Any], data: Any, depth: int) -> bool:
    if depth == 0 or not args:
        return True
    if isinstance(data, Mapping):
        return all(_fits(_bare(args[-1]), item, depth - 1) for item in data.values())
    if not _is_sequence(data):
        return True
    items = _items(data)
    if issubclass(kind, tuple) and args[-1] is not ...:
        wanted = list(args)
    else:
        wanted = [args[0]] * len(items)
    return len(wanted) == len(items) and all(
        _fits(_bare(one), item, depth - 1) for one, item in zip(wanted, items, strict=True)
    )


# ---------------------------------------------------------------- containers


def _is_sequence(data: object) -> bool:
    sequence = (list, tuple, Array, List, Shape, Sequence, Set, collections.deque)
    return isinstance(data, sequence) and not isinstance(data, (str, bytes, bytearray, Mapping))


def _items(data: Iterable[Any]) -> list[Any]:
    return [*iter(data)]  # without the iterator, list() would believe any __len__


def _is_container(kind: Any) -> bool:
    if not isinstance(kind, type):
        return False
    kinds = (Array, List, Map, Dict, Shape, list, tuple, dict, set, frozenset, collections.deque)
    return issubclass(kind, kinds) or kind.__module__ == "collections.abc"


def _plan_container(kind: type, args: Sequence[Any], data: Any) -> Any:
    if issubclass(kind, (Map, Dict, Mapping)):
        return _plan_mapping(kind, args, data)
    if issubclass(kind, tuple):
        return _plan_tuple(kind, args, data)
    if kind is Shape and _is_sequence(data):
        return Shape([_leaf(int, item) for item in data])
    if _is_container(kind) or kind is Iterable:
        if not _is_sequence(data):
            _refuse(f"a list for {_name(kind)}" if kind is not list else "list", data)
        one = args[0] if args else Any
        parts = iter([(f"[{index}]", (None, one), item) for index, item in enumerate(data)])
        return Making(parts, lambda keys, made: _like(kind, made))
    return _plan_other(kind, data)


def _like(kind: type, made: Any) -> Any:
    """Return a container of a kind; for an abstract kind the built-in one."""
    if kind.__module__ != "collections.abc":
        return made if type(made) is kind else kind(made)
    return set(made) if issubclass(kind, Set) else made


def _plan_mapping(kind: type, args: Sequence[Any], data: Any) -> Making:
    if not isinstance(data, Mapping):
        _refuse("dict", data)
    if any(is_one(kind) for is_one in _typing("is_typeddict")):
        return _plan_typed_dict(kind, data)
    key_type, one = args if len(args) == 2 else (Any, Any)
    parts = [
        (f"[{shown_key(key)}]", (_key(key_type, key), one), item) for key, item in data.items()
    ]
    return Making(iter(parts), lambda keys, made: _like(kind, dict(zip(keys, made, strict=True))))


def _plan_typed_dict(kind: Any, data: Mapping[Any, Any]) -> Making:
    hints = _hints(kind)
    _check_names(kind.__name__, data, set(hints))
    missing = sorted(kind.__required_keys__ - set(data))
    if missing:
        raise RefusedDataError(f"{kind.__name__} lacks the key {missing[0]!r}")
    parts = [(f"[{name!r}]", (name, hints[name]), item) for name, item in data.items()]
    return Making(iter(parts), lambda keys, made: dict(zip(keys, made, strict=True)))


def _plan_tuple(kind: Any, args: Sequence[Any], data: Any) -> Making:
    if not _is_sequence(data):
        _refuse(f"a list for {_name(kind)}", data)
    items = _items(data)
    names = getattr(kind, "_fields", None)  # of a named tuple
    if names is not None:
        hints = _hints(kind)
        wanted: Sequence[Any] = [hints.get(name, Any) for name in names][: len(items)]
    elif args and args[-1] is not ...:
        wanted = [] if args == ((),) else args
    else:
        wanted = [args[0] if args else Any] * len(items)
    if len(wanted) != len(items):
        raise RefusedDataError(f"expected {len(wanted)} values for {_name(kind)}, got {len(items)}")
    rows = zip(range(len(items)), wanted, items, strict=True)
    parts = iter([(f"[{index}]", (None, one), item) for index, one, item in rows])
    if names is not None:
        return Making(parts, lambda keys, made: kind(*made))
    return Making(parts, lambda keys, made: tuple(made) if kind is tuple else kind(made))


def _plan_other(kind: type, data: Any) -> Any:
    if isinstance(data, kind):
        return data
    if kind in (Device, dtype) and isinstance(data, str):
        return kind(data)
    if kind is Tensor and _is_sequence(data):
        from tain import tensor

        return tensor(data)
    numpy = loaded("numpy")
    if numpy is not None and kind is numpy.ndarray and _is_sequence(data):
        return numpy.asarray(data)
    _refuse(_name(kind), data)


# ---------------------------------------------------------------- objects and dataclasses


def _is_registered(kind: type) -> bool:
    return issubclass(kind, Object) and kind is not Object and not issubclass(kind, _TAIN_VALUES)


def _is_undeclared(kind: Any) -> bool:
    return kind is object or kind is Object or any(kind is one for one in _typing("Any"))


def _is_dataclass(kind: type) -> bool:
    """Return whether the decorator made the class, and not only tain the protocol."""
    return is_decorated(kind) if issubclass(kind, Object) else dataclasses.is_dataclass(kind)


_HINTS: weakref.WeakKeyDictionary[type, dict[str, Any]] = weakref.WeakKeyDictionary()


def _hints(kind: type) -> dict[str, Any]:
    known = _HINTS.get(kind)
    if known is not None:
        return known
    try:
        return _HINTS.setdefault(kind, typing.get_type_hints(kind))
    except Exception as error:
        raise RefusedDataError(
            f"the annotations of {kind.__name__} have no value: {error}"
        ) from error


def _check_names(owner: str, data: Mapping[Any, Any], known: set[str]) -> None:
    for name in data:
        if not isinstance(name, str):
            _refuse(f"names of fields of {owner} as keys", name)
        if name not in known:
            near = _core.near_matches(name, sorted(known))
            raise RefusedDataError(f"{owner} has no field {name!r}.{near}")


def _known_names(kind: type) -> set[str]:
    if _is_dataclass(kind):
        return {*(field.name for field in dataclasses.fields(kind)), *_init_only(kind)}
    info = _core.type_info(kind)
    named = [] if info.constructor is None else [arg.name for arg in info.constructor.args]
    return {*(field.name for field in info.fields), *named}


def _init_only(kind: Any) -> list[str]:
    """Return the parameters of a dataclass that are no fields."""
    mark = dataclasses._FIELD_INITVAR  # type: ignore[attr-defined]
    fields = kind.__dataclass_fields__
    return [name for name, field in fields.items() if field._field_type is mark]


def _plan_dataclass(kind: Any, args: Sequence[Any], data: Any) -> Making:
    if not isinstance(data, Mapping):
        _refuse(f"a dict of the fields of {kind.__name__}", data)
    _check_names(kind.__name__, data, _known_names(kind))
    hints = _hints(kind)
    of_variable = dict(zip(getattr(kind, "__parameters__", ()), args, strict=False))
    fields = {field.name: field for field in dataclasses.fields(kind)}
    own = _core.type_info(kind).fields if issubclass(kind, Object) else []
    described = {field.name: field.annotation for field in own}

    def type_of(name: str) -> Any:
        hint = hints.get(name, described.get(name, Any))
        if isinstance(hint, dataclasses.InitVar):
            hint = hint.type
        variables = getattr(hint, "__parameters__", ())
        if hint in of_variable:
            return of_variable[hint]
        return hint[tuple(of_variable.get(v, v) for v in variables)] if variables else hint

    def finish(keys: list[Any], made: list[Any]) -> Any:
        values = dict(zip(keys, made, strict=True))
        late = {name for name in values if name in fields and not fields[name].init}
        result = kind(**{name: value for name, value in values.items() if name not in late})
        for name in late:
            object.__setattr__(result, name, values[name])  # it may be frozen
        return result

    return Making(iter([(f".{n}", (n, type_of(n)), item) for n, item in data.items()]), finish)


def _plan_object(kind: type, data: Any) -> Making:
    info = _core.type_info(kind)
    if not isinstance(data, Mapping):
        _refuse(f"a dict of the fields of {info.key}", data)
    fields = {field.name: field for field in info.fields}
    parameters = parameters_of(info)
    _check_names(info.key, data, {*fields, *parameters})
    for name in data:
        if name in fields and is_unsettable(fields[name], parameters):
            raise RefusedDataError(
                "the field is read-only and no parameter of the constructor", f".{name}"
            )

    def type_of(name: str) -> Any:
        wanted = fields[name].annotation if name in fields else parameters[name].annotation
        return wanted if _is_checked_here(wanted, data[name]) else Any

    def finish(keys: list[Any], made: list[Any]) -> Any:
        values = dict(zip(keys, made, strict=True))
        result = kind(**{name: values[name] for name in keys if name in parameters})
        for name in keys:
            if name not in parameters:
                setattr(result, name, values[name])
        return result

    return Making(iter([(f".{n}", (n, type_of(n)), item) for n, item in data.items()]), finish)


def _is_checked_here(wanted: Any, data: Any) -> bool:
    """Return whether a field's value is checked before C++ gets it.

    C++ takes more values as numbers and texts than data has, such as numpy's.
    """
    return wanted not in (bool, int, float, str, bytes) or type(data) in (
        *(str, bytes, list, tuple, dict, type(None)),
    )
