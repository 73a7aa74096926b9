# SPDX-License-Identifier: Apache-2.0
"""Objects as dicts and lists: for JSON, data frames, and libraries that check data.

The open containers are kept in a list, so any depth works; a part that others share is converted
once, so the work grows with the objects and not with the ways to them. The way back is
`_from_builtins`.
"""

from __future__ import annotations

import dataclasses
from collections import UserString
from collections.abc import Iterator, Mapping, Sequence, Set
from enum import Enum
from typing import Any

from tain import Array, Device, Dict, Function, List, Map, Object, Shape, Tensor, _core, dtype
from tain._checks import loaded, refuse
from tain._constructors import is_decorated
from tain._tracebacks import ends_at_caller

__all__ = ["path_of_part", "shown_key", "to_builtins"]

_Part = tuple[str, Any, Any]  # the place of a part for messages, its key, the part
_SHOWN = 20  # as many places of a path are shown at each of its ends


def path_of_part(name: str, root: object, places: Sequence[str]) -> str:
    """Return the words that say where a part is: ``to_builtins: Sheet.cells[3]``."""
    shown = list(places)
    if len(shown) > 2 * _SHOWN:
        shown[_SHOWN:-_SHOWN] = [" ... "]
    is_type = isinstance(root, type) and not hasattr(root, "__args__")
    label = root.__name__ if is_type else str(root)  # type: ignore[attr-defined]
    return f"{name}: {label}{''.join(shown)}"


class _Open:
    """A container whose parts are being converted."""

    def __init__(self, value: object, made: Any, parts: Iterator[_Part]) -> None:
        self.value = value  # held, so that no other object gets its identity
        self.identity = 0
        self.made = made
        self.parts = parts
        self.place = ""

    def put(self, key: Any, part: object) -> None:
        if isinstance(self.made, list):
            self.made.append(part)
        else:
            self.made[key] = part


@ends_at_caller
def to_builtins(obj: object) -> Any:
    """Return an object as dicts, lists, numbers and texts, all the way down.

    A registered object or a dataclass becomes a dict of its fields, a mapping a dict, a sequence or
    a set a list, a tensor or an array of numpy nested lists, an enum member its value. A device and
    a data type become their names. None, bool, int, float, str and bytes stay as they are. An
    object that two others share becomes one dict, which they share too. An iterator is refused,
    because it could be read only once: make a list of it.

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
        Something has no fields and is no container, such as a function or an iterator, or the key
        of a mapping is neither a text nor a number. The text says where it is.
    ValueError
        An object contains itself.
    RuntimeError
        A container was changed meanwhile.

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
    known: dict[int, tuple[object, Any]] = {}  # by identity: what was met, held, and what it became
    above: set[int] = set()  # what is being converted

    def where() -> str:
        return path_of_part("to_builtins", type(obj), [frame.place for frame in stack])

    while stack:
        frame = stack[-1]
        part = next(frame.parts, None)
        if part is None:
            stack.pop()
            above.discard(frame.identity)
            continue
        frame.place, key, value = part
        if isinstance(value, Enum):
            value = value.value
        if type(value) in _PLAIN:
            made = value
        elif (identity := _identity(value)) not in known:
            is_done, made = _simple(value)
            if not is_done:
                child = _open(made)
                if child is None:
                    raise refuse(where(), _expected(value), value)
                child.identity = identity
                above.add(identity)
                stack.append(child)
                made = child.made
            if isinstance(made, (list, dict)):
                known[identity] = value, made
        elif identity in above:
            raise ValueError(f"{where()}: expected a tree, got an object that contains itself")
        else:
            made = known[identity][1]
        if isinstance(frame.made, dict):
            key = key.value if isinstance(key, Enum) else key
            if not (key is None or isinstance(key, (str, int, float))):
                raise refuse(f"{where()}: a key", "str, int, float, bool or None", key)
        frame.put(key, made)
    return root[0]


def _expected(value: object) -> str:
    return "data (make a list of an iterator)" if isinstance(value, Iterator) else "data"


def _identity(value: object) -> int:
    return value.__chandle__() if isinstance(value, Object) else id(value)


_PLAIN = (bool, int, float, str, bytes, type(None))


def shown_key(key: object) -> str:
    """Return the text of a key in a path; short, and never an error."""
    try:
        text = repr(key)
    except Exception:
        text = f"<{type(key).__name__}>"
    return text if len(text) <= 80 else f"{text[:77]}..."


def _simple(value: Any) -> tuple[bool, Any]:
    """Return whether a value has no parts, and what it becomes.

    For an array with other elements than numbers and texts that is a list, which has parts.
    """
    if type(value) in _PLAIN:
        return True, value
    if isinstance(value, Tensor):
        value = value.numpy()
    numpy = loaded("numpy")
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        return value.dtype.kind in "biufUS", value.tolist()
    if isinstance(value, memoryview):  # CPython's iteration of a released one is a SystemError
        return False, value.tolist()
    if isinstance(value, (bool, int, float, str, bytes)):
        return True, value
    if isinstance(value, (Device, dtype, UserString)):
        return True, str(value)
    return False, value


def _open(value: Any) -> _Open | None:
    """Return a container with its parts; None if the value has none."""
    if isinstance(value, Iterator):
        return None
    if isinstance(value, (Map, Dict, Mapping)):
        pairs = ((f"[{shown_key(key)}]", key, item) for key, item in value.items())
        return _Open(value, {}, pairs)
    if isinstance(value, (Array, List, Shape, list, tuple, Set, Sequence)):
        known = list(value) if isinstance(value, (Array, List, Shape, list)) else value
        items = ((f"[{index}]", None, item) for index, item in enumerate(known))
        return _Open(value, [], items)
    names = _field_names(value)
    if names is None:
        return None
    return _Open(value, {}, ((f".{name}", name, getattr(value, name)) for name in names))


def _field_names(value: Any) -> list[str] | None:
    if isinstance(value, Object) and not is_decorated(type(value)):
        if isinstance(value, (Function, _core.get_class("ffi.Module"))):
            return None
        return [field.name for field in _core.type_info(type(value)).fields]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [field.name for field in dataclasses.fields(value)]
    return None
