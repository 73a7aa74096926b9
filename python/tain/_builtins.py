# SPDX-License-Identifier: Apache-2.0
"""Objects as dicts and lists, and back: for JSON, data frames, and libraries that check data.

Both directions keep their open containers in a list, so any depth works.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections import UserString
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from enum import Enum
from typing import Any

from tain import Array, Device, Dict, Function, List, Map, Object, Shape, Tensor, _core, dtype
from tain._checks import refuse

__all__ = ["from_builtins", "to_builtins"]

_Part = tuple[str, Any, Any]  # the place of a part for messages, its key, the part


def _path(name: str, root: object, places: Sequence[str]) -> str:
    """Return the words that say where a part is: ``to_builtins: Sheet.cells[3]``."""
    cls = root if isinstance(root, type) else type(root)
    return f"{name}: {getattr(cls, '__name__', root)}{''.join(places)}"


# ---------------------------------------------------------------- to built-in values


class _Open:
    """A container whose parts are being converted."""

    def __init__(self, value: object, made: Any, parts: Iterator[_Part]) -> None:
        self.value = value  # held, so that no other object gets its identity
        self.identity = _identity(value)
        self.made = made
        self.parts = parts
        self.place = ""

    def put(self, key: Any, part: object) -> None:
        if isinstance(self.made, list):
            self.made.append(part)
        else:
            self.made[key] = part


def to_builtins(obj: object) -> Any:
    """Return an object as dicts, lists, numbers and texts, all the way down.

    A registered object or a dataclass becomes a dict of its fields, a mapping a dict, a sequence or
    a set a list, a tensor nested lists of numbers, an enum member its value. A device and a data
    type become their names. None, bool, int, float, str and bytes stay as they are. An object that
    two others share becomes two dicts.

    Parameters
    ----------
    obj : object
        The object. It may be as deep as memory allows.

    Returns
    -------
    object
        A new value. It can be given to `json.dumps`, unless there are bytes in it.

    Raises
    ------
    TypeError
        Something has no fields and is no container, such as a function, or the key of a mapping is
        neither a text nor a number. The text says where it is.
    ValueError
        An object contains itself.

    Examples
    --------
    >>> tain.to_builtins(tain.types.testing.TestIntPair(1, 2))
    {'a': 1, 'b': 2}
    >>> import json
    >>> json.dumps([tain.types.testing.TestIntPair(1, 2)], default=tain.to_builtins)
    '[{"a": 1, "b": 2}]'
    """
    root: list[Any] = []
    stack = [_Open(None, root, iter([("", None, obj)]))]
    above = {stack[0].identity}

    def where() -> str:
        return _path("to_builtins", obj, [frame.place for frame in stack])

    while stack:
        frame = stack[-1]
        part = next(frame.parts, None)
        if part is None:
            stack.pop()
            above.discard(frame.identity)
            continue
        frame.place, key, value = part
        known, made = _simple(value)
        if not known:
            child = _open(value)
            if child is None:
                raise refuse(where(), "data", value)
            if child.identity in above:
                raise ValueError(f"{where()}: expected a tree, got an object that contains itself")
            above.add(child.identity)
            stack.append(child)
            made = child.made
        if isinstance(frame.made, dict) and not _is_key(key):
            raise refuse(f"{where()}: a key", "str, int, float, bool or None", key)
        frame.put(key, made)
    return root[0]


def _identity(value: object) -> int:
    return value.__chandle__() if isinstance(value, Object) else id(value)


def _is_key(key: object) -> bool:
    return key is None or isinstance(key, (str, int, float))


def _simple(value: object) -> tuple[bool, Any]:
    """Return whether a value has no parts, and what it becomes."""
    if isinstance(value, Enum):
        return True, value.value
    if isinstance(value, Tensor) or type(value).__module__ == "numpy":
        plain: Any = value.numpy() if isinstance(value, Tensor) else value
        return True, plain.tolist()
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return True, value
    if isinstance(value, (Device, dtype, UserString)):
        return True, str(value)
    return False, None


def _open(value: Any) -> _Open | None:
    """Return a container with its parts; None if the value has none."""
    if isinstance(value, (Map, Dict, Mapping)):
        pairs = ((f"[{key!r}]", key, item) for key, item in value.items())
        return _Open(value, {}, pairs)
    if isinstance(value, (Array, List, Shape, list, tuple, Set, Sequence)):
        items = ((f"[{index}]", None, item) for index, item in enumerate(value))
        return _Open(value, [], items)
    names = _field_names(value)
    if names is None:
        return None
    return _Open(value, {}, ((f".{name}", name, getattr(value, name)) for name in names))


def _field_names(value: Any) -> list[str] | None:
    if isinstance(value, Object):
        if isinstance(value, (Function, _core.get_class("ffi.Module"))):
            return None
        return [field.name for field in _core.type_info(type(value)).fields]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [field.name for field in dataclasses.fields(value)]
    return None


# ---------------------------------------------------------------- from built-in values


class _Making:
    """A value whose parts are being made."""

    def __init__(self, parts: Iterator[_Part], finish: Callable[[list[Any], list[Any]], Any]):
        self.parts = parts  # with the wanted type beside each: `(place, (key, type), data)`
        self.finish = finish  # makes the value from the keys and the parts
        self.keys: list[Any] = []
        self.made: list[Any] = []
        self.place = ""


def from_builtins(cls: Any, data: object) -> Any:
    """Return an object of a class, made from what `to_builtins` returns.

    A dict becomes an object where the class, or the declared type of a field, is a registered type.
    The constructor gets the values that are its parameters; the other fields are assigned. Where no
    type is declared (`Any`), values stay as they are.

    Parameters
    ----------
    cls : type
        A registered class, or a type with parts such as ``list[Point]`` or ``Point | None``.
    data : object
        Dicts, lists, numbers and texts.

    Returns
    -------
    object
        The new object.

    Raises
    ------
    TypeError
        A value has not the declared type, a dict has a key that is no field, or lacks a parameter
        of the constructor. The text says where.
    ValueError
        A value is not allowed where it stands, such as a number out of range.

    Examples
    --------
    >>> tain.from_builtins(tain.types.testing.TestIntPair, {"a": 1, "b": 2}).sum()
    3
    """
    root = _Making(iter([("", (None, cls), data)]), lambda keys, made: made[0])
    stack = [root]

    def where() -> str:
        return _path("from_builtins", cls, [frame.place for frame in stack])

    while True:
        frame = stack[-1]
        part = next(frame.parts, None)
        if part is not None:
            frame.place, (key, wanted), value = part
            frame.keys.append(key)
            child = _plan(wanted, value, where)
            if child is None:
                frame.made.append(value)
            else:
                stack.append(child)
            continue
        stack.pop()
        try:
            made = frame.finish(frame.keys, frame.made)
        except (TypeError, ValueError, OverflowError, AttributeError) as error:
            kind = TypeError if isinstance(error, (TypeError, AttributeError)) else ValueError
            raise kind(f"{where()}: {error}") from error
        if not stack:
            return made
        stack[-1].made.append(made)


def _plan(wanted: Any, data: Any, where: Callable[[], str]) -> _Making | None:
    """Return how to make a value of a type from data; None if the data is the value."""
    origin = typing.get_origin(wanted)
    args = typing.get_args(wanted)
    if origin is typing.Union or origin is types.UnionType:
        return _plan_union(args, data, where)
    kind = origin if isinstance(origin, type) else wanted
    if not isinstance(kind, type) or kind is Object:
        return None
    if issubclass(kind, Enum):
        return _Making(iter(()), lambda keys, made: kind(data))
    if _is_registered(kind):
        if isinstance(data, kind):
            return None
        if not isinstance(data, Mapping):
            raise refuse(where(), f"a dict of the fields of {_core.type_info(kind).key}", data)
        return _plan_object(kind, data, where)
    return _plan_container(kind, args, data)


def _plan_union(args: Sequence[Any], data: Any, where: Callable[[], str]) -> _Making | None:
    if data is None and type(None) in args:
        return None
    for one in args:
        kind = typing.get_origin(one) or one
        if not isinstance(kind, type):
            continue
        is_object = _is_registered(kind) and isinstance(data, Mapping)
        if is_object and not set(data) <= _known_names(kind):
            continue
        if is_object or (_is_sequence(data) and issubclass(kind, (Array, List, list, tuple))):
            return _plan(one, data, where)
        if isinstance(data, Mapping) and issubclass(kind, (Map, Dict, dict)):
            return _plan(one, data, where)
    return None


def _plan_container(kind: type, args: Sequence[Any], data: Any) -> _Making | None:
    if issubclass(kind, tuple) and _is_sequence(data):
        types_of = args if args and args[-1] is not ... else [args[0] if args else Any] * len(data)
        if len(types_of) != len(data):
            return None  # the constructor says what it expects
        items = zip(range(len(data)), types_of, data, strict=True)
        parts = iter([(f"[{index}]", (None, one), item) for index, one, item in items])
        return _Making(parts, lambda keys, made: tuple(made))
    if issubclass(kind, (Map, Dict, Mapping)) and isinstance(data, Mapping):
        one = args[1] if len(args) == 2 else Any
        parts = iter([(f"[{key!r}]", (key, one), item) for key, item in data.items()])
        return _Making(parts, lambda keys, made: _like(kind, dict(zip(keys, made, strict=True))))
    if issubclass(kind, (Array, List, list, Set, Sequence)) and _is_sequence(data):
        one = args[0] if args else Any
        parts = iter([(f"[{index}]", (None, one), item) for index, item in enumerate(data)])
        return _Making(parts, lambda keys, made: _like(kind, made))
    return None


def _like(kind: type, made: Any) -> Any:
    return kind(made) if issubclass(kind, (Array, List, Map, Dict, set)) else made


def _plan_object(kind: type, data: Mapping[Any, Any], where: Callable[[], str]) -> _Making:
    info = _core.type_info(kind)
    fields = {field.name: field for field in info.fields}
    constructor = info.constructor
    parameters = {} if constructor is None else {a.name: a for a in constructor.args if a.is_named}
    for name in data:
        if name not in fields and name not in parameters:
            near = _core.near_matches(str(name), list(fields))
            raise TypeError(f"{where()}: {info.key} has no field {name!r}.{near}")
        if name not in parameters and not fields[name].writable:
            raise TypeError(
                f"{where()}.{name}: the field is read-only and no parameter of the constructor"
            )

    def type_of(name: str) -> Any:
        return fields[name].annotation if name in fields else parameters[name].annotation

    def finish(keys: list[Any], made: list[Any]) -> Any:
        values = dict(zip(keys, made, strict=True))
        result = kind(**{name: values[name] for name in keys if name in parameters})
        for name in keys:
            if name not in parameters:
                setattr(result, name, values[name])
        return result

    parts = iter([(f".{name}", (name, type_of(name)), item) for name, item in data.items()])
    return _Making(parts, finish)


def _known_names(kind: type) -> set[str]:
    info = _core.type_info(kind)
    named = [] if info.constructor is None else [arg.name for arg in info.constructor.args]
    return {*(field.name for field in info.fields), *named}


def _is_registered(kind: type) -> bool:
    plain = (Array, List, Map, Dict, Shape, Function, Tensor)
    return issubclass(kind, Object) and kind is not Object and not issubclass(kind, plain)


def _is_sequence(data: object) -> bool:
    sequence = (list, tuple, Array, List, Sequence, Set)
    return isinstance(data, sequence) and not isinstance(data, (str, bytes))
