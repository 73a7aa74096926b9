# SPDX-License-Identifier: Apache-2.0
"""What Python expects of values, from a table of the fields of each class."""

from __future__ import annotations

import json
from typing import Any

from . import _engine

# [fields by name]
FIELDS: dict[type, tuple[str, ...]] = {
    _engine.Expr: (),
    _engine.Number: ("value",),
    _engine.Text: ("value",),
    _engine.Reference: ("address",),
    _engine.Range: ("first", "last"),
    _engine.Binary: ("op", "lhs", "rhs"),
    _engine.Call: ("name", "args"),
    _engine.Function: ("name", "callback"),
    _engine.Cell: ("address", "expr"),
    _engine.Sheet: ("cells", "functions", "listeners"),
}
VALUES = (_engine.Expr, _engine.Cell)
BY_NAME = {cls.__name__: cls for cls in FIELDS}


def bound(cls: type) -> type:
    """Return the class of C++ that a class is or extends."""
    return next(base for base in cls.__mro__ if base in FIELDS)


def values(obj: Any) -> tuple[Any, ...]:
    """Return the fields of an object."""
    return tuple(getattr(obj, name) for name in FIELDS[bound(type(obj))])


# [repr]
def _repr(self: Any) -> str:
    names = FIELDS[bound(type(self))]
    parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
    return f"{type(self).__name__}({parts})"


# [comparison and hash]
def _eq(self: Any, other: Any) -> Any:
    if not isinstance(other, VALUES) or bound(type(self)) is not bound(type(other)):
        return NotImplemented
    return values(self) == values(other)


def _hash(self: Any) -> int:
    parts = (tuple(v) if isinstance(v, list) else v for v in values(self))
    return hash((bound(type(self)), *parts))


# [pickling and copying]
def _make(cls: type, fields: tuple[Any, ...]) -> Any:
    obj = cls.__new__(cls)
    bound(cls).__init__(obj, *fields)  # type: ignore[misc]
    return obj


def _reduce(self: Any) -> Any:
    return _make, (type(self), values(self)), getattr(self, "__dict__", None) or None


for _cls in FIELDS:
    # [repr]
    _cls.__repr__ = _repr  # type: ignore[assignment]
    # [pickling and copying]
    _cls.__reduce__ = _reduce  # type: ignore[assignment]
# [comparison and hash]
for _cls in VALUES:
    _cls.__eq__ = _eq  # type: ignore[assignment]
    _cls.__hash__ = _hash  # type: ignore[assignment]


# [structural comparison]
def difference(a: Any, b: Any, path: str = "<root>") -> str | None:
    """Return the path of the first difference, or None."""
    if type(a) in FIELDS and type(a) is type(b):
        pairs = zip(FIELDS[type(a)], values(a), values(b), strict=True)
        parts = [(f"{path}.{name}", x, y) for name, x, y in pairs]
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        pairs = zip(range(len(a)), a, b, strict=True)
        parts = [(f"{path}[{i}]", x, y) for i, x, y in pairs]
    elif isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        parts = [(f'{path}["{key}"]', a[key], b[key]) for key in sorted(a)]
    else:
        return None if type(a) is type(b) and a == b else path
    return next((found for p, x, y in parts if (found := difference(x, y, p))), None)


# [saving as JSON]
def _data(value: Any) -> Any:
    if type(value) in FIELDS:
        names = FIELDS[type(value)]
        return {"$type": type(value).__name__, **{n: _data(getattr(value, n)) for n in names}}
    if isinstance(value, _engine.Op):
        return {"$op": value.name}
    if isinstance(value, list):
        return [_data(element) for element in value]
    if isinstance(value, dict):
        return {key: _data(element) for key, element in value.items()}
    if value is None or isinstance(value, str | float):
        return value
    raise TypeError(f"cannot save {type(value).__name__}")


def _object(data: dict[str, Any]) -> Any:
    if "$op" in data:
        return _engine.Op[data["$op"]]
    if "$type" in data:
        return BY_NAME[data.pop("$type")](**data)
    return data


def save(value: Any) -> str:
    """Return a sheet or formula as JSON."""
    return json.dumps(_data(value), indent=2)


def load(text: str) -> Any:
    """Return what `save` wrote."""
    return json.loads(text, object_hook=_object)
