# SPDX-License-Identifier: Apache-2.0
"""The classes behind everything else."""

from __future__ import annotations

from typing import Any

import tain
from tain import Device, Error, Function, Object, Shape, Tensor, dtype

from . import _type_info
from ._tensor import DLDeviceType
from ._type_info import KWARGS, MISSING, FFIProperty, TypeField, TypeInfo, TypeMethod
from ._type_schema import TypeSchema

DataType = dtype
_register_py_class = _type_info.begin
_rollback_py_class = _type_info.end
_type_cls_to_type_info = _type_info.of_class
_type_index_to_type_info = _type_info.of_index
_lookup_or_register_type_info_from_type_key = _type_info.of_key
_object_type_key_to_index = _type_info.index_of_key
_register_type_attr = _type_info.set_type_attr


def _lookup_type_attr(type_index: int, attr_key: str, ancestor: bool = False) -> Any:
    """Return an attribute of a type, or of its nearest parent with it; None if there is none."""
    found = _type_info.type_attr(type_index, attr_key)
    if found is None and ancestor:
        for index in reversed(_type_info.of_index(type_index).type_ancestors):
            found = _type_info.type_attr(index, attr_key)
            if found is not None:
                break
    return found


def _to_py_class_value(value: Any) -> Any:
    return value


class ObjectConvertible:
    """The base class of Python classes whose instances cross as what `asobject` returns."""

    def asobject(self) -> Any:
        """Return the object as which this one crosses."""
        raise NotImplementedError(f"{type(self).__name__}.asobject")

    @property
    def __tain_convert__(self) -> Any:
        return self.asobject


def object_repr(obj: Any) -> str:
    """Return an object as text."""
    return Object.__repr__(obj)


CObject = Object
CContainerBase = Object
OpaquePyObject = tain.get_class("ffi.OpaquePyObject")
String = str
Bytes = bytes


class CAny:
    """A value, as functions of other languages get it."""

    def __init__(self, value: Any = None) -> None:
        self.value = tain.convert(value)


__all__ = [
    "Bytes",
    "CAny",
    "CContainerBase",
    "CObject",
    "KWARGS",
    "MISSING",
    "DLDeviceType",
    "DataType",
    "Device",
    "Error",
    "FFIProperty",
    "Function",
    "Object",
    "ObjectConvertible",
    "OpaquePyObject",
    "Shape",
    "String",
    "Tensor",
    "TypeField",
    "TypeInfo",
    "TypeMethod",
    "TypeSchema",
    "dtype",
    "object_repr",
]
