# SPDX-License-Identifier: Apache-2.0
"""Registers enums that are written in Python."""

from __future__ import annotations

import enum

from tain import _adoption, _core
from tain._python_types.identity import doc_of, known, origin

__all__ = ["define_enum"]


def define_enum(key: str, cls: type[enum.Enum]) -> type[enum.Enum]:
    """Register an enum class, or make it the class of an enum that C++ registered.

    Raises
    ------
    TypeError
        The class is not an IntEnum, IntFlag or StrEnum.
    ValueError
        The key is registered with other members.
    """
    if issubclass(cls, enum.IntFlag):
        kind = "flag"
    elif issubclass(cls, int):
        kind = "int"
    elif issubclass(cls, str):
        kind = "str"
    else:
        raise TypeError(
            f"{key}: expected an IntEnum, IntFlag or StrEnum, whose members C++ can hold, got "
            f"{cls.__mro__[1].__name__}"
        )
    there = known(key)
    unit, file = origin(cls)
    if there is None or there.__module__ == cls.__module__:
        _core.define_enum(key, doc_of(cls), unit, file, cls, kind)
    _core.adopt_enum_class(key, cls)
    _adoption.refresh_name(key)
    return cls
