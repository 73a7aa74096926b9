# SPDX-License-Identifier: Apache-2.0
"""Graphs as JSON, in the form of the ecosystem: a list of nodes, which have numbers."""

from __future__ import annotations

import base64
import json
from typing import Any

import tain
from tain import Array, Dict, List, Map, Object, Shape, get_global_func

from . import _type_info
from .dataclasses.enum import Enum, IntEnum

__all__ = ["from_json_graph_str", "to_json_graph_str"]

_from_fields = get_global_func("ffi.MakeObjectFromPackedArgs")
_SEQUENCES = {Array: "ffi.Array", List: "ffi.List"}
_MAPS = {Map: "ffi.Map", Dict: "ffi.Dict"}
_CONTAINERS = {name: cls for cls, name in {**_SEQUENCES, **_MAPS}.items()}
# The type indices of fields whose values stand in the object itself: None, int, bool, float.
_INLINE = frozenset({0, 1, 2, 3})
_DTYPE = 5


def _all_fields(info: Any) -> list[Any]:
    made: list[Any] = []
    while info is not None:
        made = [*(info.fields or ()), *made]
        info = info.parent_type_info
    return made


class _Writer:
    """Numbers the values of a graph, those inside of others first."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.known: dict[Any, int] = {}
        self.held: list[Any] = []
        self.open: set[int] = set()

    def number(self, value: Any) -> int:
        key = value.__chandle__() if isinstance(value, Object) else (type(value), repr(value))
        known = self.known.get(key)
        if known is not None:
            return known
        if isinstance(value, Object):
            if key in self.open:
                name = type(value).__name__
                raise ValueError(f"Cycle detected during serialization: a {name} contains itself")
            self.open.add(key)
        node = self.node(value)
        self.open.discard(key)
        self.held.append(value)
        self.nodes.append(node)
        self.known[key] = len(self.nodes) - 1
        return self.known[key]

    def node(self, value: Any) -> dict[str, Any]:
        if value is None:
            return {"type": "None"}
        if isinstance(value, bool):
            return {"type": "bool", "data": value}
        if isinstance(value, int):
            if -(2**63) <= value < 2**63:
                return {"type": "int", "data": int(value)}
            return {"type": "ffi.BigInt", "data": str(value)}
        if isinstance(value, float):
            return {"type": "float", "data": value}
        if isinstance(value, str):
            return {"type": "ffi.String", "data": str(value)}
        if isinstance(value, bytes):
            return {"type": "ffi.Bytes", "data": base64.b64encode(value).decode()}
        if isinstance(value, tain.dtype):
            return {"type": "DataType", "data": str(value)}
        if isinstance(value, tain.Device):
            return {"type": "Device", "data": [int(value.device_type), value.device_id]}
        if isinstance(value, Shape):
            return {"type": "ffi.Shape", "data": list(value)}
        for cls, name in _SEQUENCES.items():
            if isinstance(value, cls):
                return {"type": name, "data": [self.number(one) for one in value]}
        for cls, name in _MAPS.items():
            if isinstance(value, cls):
                parts = [self.number(one) for item in value.items() for one in item]
                return {"type": name, "data": parts}
        return self.object(value)

    def object(self, value: Any) -> dict[str, Any]:
        info = _type_info.of_class(type(value)) if isinstance(value, Object) else None
        if info is None:
            info = getattr(type(value), "__tvm_ffi_type_info__", None)
        if info is None:
            raise TypeError(f"{type(value).__name__} does not support ToJSONGraph")
        key = info.type_key
        if isinstance(value, Enum):
            data = value._int_index if isinstance(value, IntEnum) else value._str_index
            return {"type": key, "data": data}
        hook = _type_info.type_attr(info.type_index, "__data_to_json__")
        if hook is not None:
            return {"type": key, "data": tain.to_builtins(hook(value))}
        if info.type_index < 128:
            raise TypeError(f"Type `{key}` does not support ToJSONGraph")
        data = {}
        for field in _all_fields(info):
            part = getattr(value, field.name)
            if field.field_static_type_index in _INLINE:
                data[field.name] = part
            elif field.field_static_type_index == _DTYPE:
                data[field.name] = str(part)
            else:
                data[field.name] = self.number(part)
        return {"type": key, "data": data}


class _Reader:
    """Makes the values of the nodes, those that are needed."""

    def __init__(self, nodes: list[Any]) -> None:
        self.nodes = nodes
        self.made: dict[int, Any] = {}

    def value(self, number: Any) -> Any:
        if isinstance(number, bool) or not isinstance(number, int):
            raise TypeError(f"Invalid JSON Object Graph: {number!r} is no node index")
        if not 0 <= number < len(self.nodes):
            raise ValueError(f"Invalid JSON Object Graph: invalid node index {number}")
        if number not in self.made:
            self.made[number] = None
            self.made[number] = self.decode(self.nodes[number])
        return self.made[number]

    def decode(self, node: Any) -> Any:
        kind, data = node["type"], node.get("data")
        if kind == "None":
            return None
        if kind in ("bool", "int", "float", "ffi.String"):
            wanted = {"bool": bool, "int": int, "float": (float, int), "ffi.String": str}[kind]
            if not isinstance(data, wanted):  # type: ignore[arg-type]
                raise TypeError(f"Invalid JSON Object Graph: expected {kind}, got {data!r}")
            return float(data) if kind == "float" else data
        if kind == "ffi.BigInt":
            return int(data)
        if kind == "ffi.Bytes":
            return base64.b64decode(data)
        if kind == "DataType":
            return tain.dtype(data)
        if kind == "Device":
            if len(data) != 2:
                raise ValueError(f"Invalid JSON Object Graph: a device has 2 numbers, got {data}")
            return tain.device(*data)
        if kind == "ffi.Shape":
            return Shape(data)
        if kind in _CONTAINERS:
            parts = [self.value(one) for one in data]
            cls = _CONTAINERS[kind]
            if kind in _SEQUENCES.values():
                return cls(parts)
            if len(parts) % 2:
                raise ValueError("Invalid JSON Object Graph: a key of a map has no value")
            return cls(list(zip(parts[::2], parts[1::2], strict=True)))
        return self.object(kind, data)

    def object(self, kind: str, data: Any) -> Any:
        if _type_info.index_of_key(kind) is None:
            raise ValueError(f"Invalid JSON Object Graph: no type is registered as {kind}")
        info = _type_info.of_key(kind)
        cls: Any = info.type_cls
        if issubclass(cls, Enum):
            return cls.get(data)
        hook = _type_info.type_attr(info.type_index, "__data_from_json__")
        if hook is not None:
            return hook(data)
        arguments: list[Any] = []
        for field in _all_fields(info):
            if field.name not in data:
                if field.c_has_default:
                    continue
                raise TypeError(f"Required field `{field.name}` not set in type `{kind}`")
            part = data[field.name]
            if field.field_static_type_index == _DTYPE:
                part = tain.dtype(part)
            elif field.field_static_type_index not in _INLINE:
                part = self.value(part)
            arguments += (field.name, part)
        return _from_fields(kind, *arguments)


def to_json_graph_str(obj: Any, metadata: dict[str, Any] | None = None) -> str:
    """Return a graph of objects as JSON text, with metadata beside it."""
    writer = _Writer()
    graph: dict[str, Any] = {"root_index": writer.number(tain.convert(obj)), "nodes": writer.nodes}
    if metadata is not None:
        graph["metadata"] = metadata
    return json.dumps(graph, separators=(",", ":"), ensure_ascii=False)


def from_json_graph_str(json_str: str) -> Any:
    """Return the graph that `to_json_graph_str` wrote."""
    graph = json.loads(json_str)
    if not isinstance(graph, dict) or "root_index" not in graph or "nodes" not in graph:
        raise ValueError("Invalid JSON Object Graph: expected an object with root_index and nodes")
    return _Reader(graph["nodes"]).value(graph["root_index"])
