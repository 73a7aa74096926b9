# SPDX-License-Identifier: Apache-2.0
"""Types as the metadata of fields and functions describes them."""

from __future__ import annotations

import collections.abc as abc
import json
import types
import typing
from typing import Any, TypeVar

import tain
from tain import _core

__all__ = ["TypeSchema"]

# The names of a schema by the type keys of the metadata.
_BY_KEY = {
    "ffi.String": "str",
    "ffi.Bytes": "bytes",
    "ffi.Function": "Callable",
    "ffi.Array": "Array",
    "ffi.List": "List",
    "ffi.Map": "Map",
    "ffi.Dict": "Dict",
    "ffi.Tensor": "Tensor",
    "ffi.Object": "Object",
    "ffi.Shape": "Shape",
    "ffi.Module": "Module",
    "DataType": "dtype",
    "std::string": "str",
    "const char*": "str",
    "void*": "c_void_p",
    "DLTensor*": "Tensor",
    "TVMFFIByteArray*": "bytes",
    "ffi.SmallStr": "str",
    "ffi.SmallBytes": "bytes",
    "ObjectRValueRef": "Object",
    "None": "None",
    "Variant": "Union",
    "Tuple": "tuple",
}
# The type expressions of tain.
_EXPRESSIONS = {
    "c_void_p": "void*",
    "Callable": "Function",
    "Union": "Variant",
    "dtype": "dtype",
    "Device": "Device",
}


class TypeSchema:
    """A type: its name, and the types inside of it."""

    def __init__(
        self,
        origin: str,
        args: tuple[TypeSchema, ...] = (),
        origin_type_index: int | None = None,
        fallback: TypeSchema | None = None,
        named_args: Any = None,
        type_key: str | None = None,
    ) -> None:
        self.origin = origin
        self.args = tuple(args)
        self.origin_type_index = origin_type_index
        self.type_key = type_key
        if origin == "Optional" and len(self.args) == 1 and self.args[0].origin == "Optional":
            self.args = self.args[0].args
        if origin in ("Union", "Optional") and len(self.args) < (2 if origin == "Union" else 1):
            raise ValueError(f"{origin} needs more types than {len(self.args)}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TypeSchema):
            return NotImplemented
        return (self.origin, self.args) == (other.origin, other.args)

    def __hash__(self) -> int:
        return hash((self.origin, self.args))

    def __repr__(self) -> str:
        return self.repr()

    def repr(self, ty_map: abc.Callable[[str], str] | None = None) -> str:
        """Return the type as an annotation of Python."""
        parts = [part.repr(ty_map) for part in self.args]
        if self.origin == "Optional":
            return f"{parts[0]} | None"
        if self.origin == "Union":
            return " | ".join(parts)
        name = self.origin if ty_map is None else ty_map(self.origin)
        if self.origin == "Callable":
            if not parts:
                return f"{name}[..., Any]"
            return f"{name}[[{', '.join(parts[1:])}], {parts[0]}]"
        return f"{name}[{', '.join(parts)}]" if parts else name

    def expression(self) -> str:
        """Return the type expression of tain."""
        parts = [part.expression() for part in self.args]
        if self.origin == "Optional":
            return parts[0] if parts[0] == "Any" else f"{parts[0]} | None"
        if self.origin == "Union":
            return "Any" if "Any" in parts else " | ".join(dict.fromkeys(parts))
        name = _EXPRESSIONS.get(self.origin, self.type_key or self.origin)
        return name if not parts or self.origin == "Callable" else f"{name}[{', '.join(parts)}]"

    def convert(self, value: Any) -> Any:
        """Return a value as a field of this type would hold it."""
        return _holder_of(self.expression())(value).value

    def check_value(self, value: Any) -> None:
        """Raise TypeError if a field of this type could not hold a value."""
        self.convert(value)

    def to_json(self) -> dict[str, Any]:
        """Return the type as it stands in metadata."""
        keys = {name: key for key, name in reversed(_BY_KEY.items())}
        made: dict[str, Any] = {"type": self.type_key or keys.get(self.origin, self.origin)}
        if self.origin == "Callable" and self.args:
            parts = [part.to_json() for part in self.args]
            made["named_args"] = {"return": parts[:1], "params": parts[1:]}
        elif self.args:
            made["args"] = [part.to_json() for part in self.args]
        return made

    @staticmethod
    def from_json_obj(obj: dict[str, Any]) -> TypeSchema:
        """Return the type of metadata."""
        if not isinstance(obj, dict) or "type" not in obj:
            raise TypeError(f"expected a description with a type, got {obj!r}")
        key = obj["type"]
        named = obj.get("named_args", {})
        parts = [*named.get("return", ()), *named.get("params", ()), *obj.get("args", ())]
        args = tuple(TypeSchema.from_json_obj(part) for part in parts)
        if not args:
            args = (TypeSchema("Any"),) * _PARTS.get(_BY_KEY.get(key, key), 0)
        return TypeSchema(_BY_KEY.get(key, key), args)

    @staticmethod
    def from_json_str(s: str) -> TypeSchema:
        """Return the type of metadata, as JSON text."""
        return TypeSchema.from_json_obj(json.loads(s))

    @staticmethod
    def from_annotation(annotation: object) -> TypeSchema:
        """Return the type of an annotation."""
        return _of_annotation(annotation)


# Classes of Python, and what a field with such an annotation holds.
_OF_CLASS: dict[Any, str] = {
    **{cls: cls.__name__ for cls in (int, float, bool, str, bytes)},
    type(None): "None",
    None: "None",
    Any: "Any",
    list: "List",
    dict: "Dict",
    tuple: "tuple",
    abc.Sequence: "Array",
    abc.MutableSequence: "List",
    abc.Mapping: "Map",
    abc.MutableMapping: "Dict",
    abc.Callable: "Callable",
    tain.Object: "Object",
    tain.Function: "Callable",
    tain.Array: "Array",
    tain.List: "List",
    tain.Map: "Map",
    tain.Dict: "Dict",
    tain.Tensor: "Tensor",
    tain.Shape: "Shape",
    tain.Device: "Device",
    tain.dtype: "dtype",
}
# How many types stand inside of a container.
_PARTS = {"Array": 1, "List": 1, "Map": 2, "Dict": 2}
# The keys of classes that are just being defined.
keys_of_classes: dict[type, str] = {}


def _of_annotation(annotation: Any) -> TypeSchema:
    if isinstance(annotation, TypeSchema):
        return annotation
    if isinstance(annotation, TypeVar):
        return _of_annotation(annotation.__bound__ or Any)
    origin = typing.get_origin(annotation)
    if origin is None:
        return _of_class(annotation)
    parts = typing.get_args(annotation)
    if origin in (typing.Annotated, typing.Final, typing.ClassVar):
        return _of_annotation(parts[0])
    if origin is typing.Union or origin is types.UnionType:
        return _union([_of_annotation(part) for part in parts])
    if origin is abc.Callable:
        if parts and isinstance(parts[0], list):
            made = [_of_annotation(parts[1]), *(_of_annotation(part) for part in parts[0])]
            return TypeSchema("Callable", tuple(made))
        return TypeSchema("Callable")
    base = _of_class(origin)
    if base.origin == "tuple":
        if len(parts) == 2 and parts[1] is ...:
            return TypeSchema("Array", (_of_annotation(parts[0]),))
        return TypeSchema("tuple", tuple(_of_annotation(part) for part in parts))
    wanted = _PARTS.get(base.origin)
    if wanted is None:
        return base
    if wanted != len(parts):
        raise TypeError(f"{base.origin} has {wanted} types inside, got {annotation!r}")
    return TypeSchema(base.origin, tuple(_of_annotation(part) for part in parts))


def _union(parts: list[TypeSchema]) -> TypeSchema:
    rest = tuple(dict.fromkeys(part for part in parts if part.origin != "None"))
    inner = TypeSchema("Union", rest) if len(rest) > 1 else rest[0]
    return TypeSchema("Optional", (inner,)) if any(p.origin == "None" for p in parts) else inner


def _of_class(annotation: Any) -> TypeSchema:
    try:
        name = _OF_CLASS.get(annotation)
    except TypeError:  # it cannot be hashed, so it is no class
        name = None
    if name is not None:
        return TypeSchema(name)
    if isinstance(annotation, type):
        key = keys_of_classes.get(annotation)
        if key is None and issubclass(annotation, tain.Object):
            key = _core.type_info(annotation).key
        if key is not None:
            return TypeSchema(_BY_KEY.get(key, key), type_key=key)
    raise TypeError(f"{annotation!r} is no type of which a field can be")


_holders: dict[str, type] = {}


def _holder_of(expression: str) -> type:
    """Return a type with one field of a type, by which values are converted."""
    known = _holders.get(expression)
    if known is None:
        key = f"tain_tvm_ffi.holder_{len(_holders)}"
        field = ("value", expression, "", ["writable"], None)
        _core.define_type(key, "", key, __file__, tain.Object, [], [field])
        known = _holders[expression] = _core.get_class(key)
    return known
