# SPDX-License-Identifier: Apache-2.0
"""Members of C++ enums: how they are printed, and flags that no member names.

`tain._core` imports this module when it makes the first class of an enum.
"""

from __future__ import annotations

from enum import Enum, Flag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

__all__ = ["member_format", "member_text", "parts_of", "set_flags", "set_text", "unnamed"]


def member_text(self: Any) -> str:
    """Return `Op.ADD`; `Access.READ|Access.WRITE` for flags that are combined."""
    cls = type(self).__name__
    names, rest = [self._name_], 0
    if self._name_ not in type(self).__members__:
        names, rest = parts_of(self)
    more = [str(rest)] if rest else []
    return "|".join([*(f"{cls}.{name}" for name in names), *more]) if names else f"{cls}({rest})"


def parts_of(self: Any, is_shown: Callable[[str], bool] = bool) -> tuple[list[str], int]:
    """Return the names of the members that a flag consists of, and the other bits.

    Members whose names are not shown are left out.
    """
    value = int(self)
    names, rest = [], value
    for member in type(self):
        bits = int(member)
        if bits and bits & value == bits and bits & rest and is_shown(member._name_):
            names.append(member._name_)
            rest &= ~bits
    return names, rest


def member_format(self: Any, spec: str) -> str:
    """Return the text of a member, or its number if the format is one of numbers."""
    return format(int(self), spec) if spec else member_text(self)


def set_text(cls: type[Enum]) -> None:
    """Make the members of a class print as `Op.ADD`.

    The members of an enum of texts are those texts, so `str` and `format` of them stay the texts.
    """
    methods: dict[str, Any] = {"__repr__": member_text}
    if issubclass(cls, int) or issubclass(cls, Flag):
        methods |= {"__str__": member_text, "__format__": member_format}
    for name, method in methods.items():
        setattr(cls, name, method)


def unnamed(cls: type[Any], value: int) -> Any:
    """Return the flag of a value that no member has, and keep it in the class."""
    known = cls._value2member_map_
    if value in known:
        return known[value]
    made: Any = int.__new__(cls, value)
    made._value_ = value
    made._name_ = None
    if value:  # `READ|WRITE|8`, as Python names flags from 3.11 on
        names, rest = parts_of(made)
        made._name_ = "|".join([*names, str(rest)] if rest or not names else names)
    return known.setdefault(value, made)


def set_flags(
    cls: type[Any], members: Sequence[tuple[str, int]], lowest: int, highest: int
) -> None:
    """Let a class of flags hold what its C++ type holds, and complement as C++ does.

    Parameters
    ----------
    cls : type
        A subclass of IntFlag that has all members which are not negative.
    members : sequence of (str, int)
        All members.
    lowest, highest : int
        The smallest and the largest integer of the C++ type.
    """

    def missing(cls: type[Any], value: object) -> Any:
        if isinstance(value, int):
            if value < 0 and lowest == 0:  # the complement of an int of Python
                value = value & highest if ~value <= highest else value
            if lowest <= value <= highest:
                return unnamed(cls, int(value))
            raise ValueError(
                f"{cls.__qualname__}: expected int in {lowest}..{highest}, got {value}"
            )
        raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")

    def invert(self: Any) -> Any:
        return type(self)(~self._value_)

    def reduce(self: Any, protocol: int) -> tuple[type[Any], tuple[int]]:
        return type(self), (self._value_,)

    cls._missing_ = classmethod(missing)
    for name, method in (("__invert__", invert), ("__reduce_ex__", reduce)):
        setattr(cls, name, method)
    for name, value in members:
        if value < 0:
            _add_negative(cls, name, value)
    known = dict(cls._member_map_)
    cls._member_map_.clear()
    cls._member_map_.update({name: known[name] for name, _ in members})


def _add_negative(cls: type[Any], name: str, value: int) -> None:
    """Add a member that Python's enum module would replace by a positive one."""
    made = unnamed(cls, value)
    if made._name_ not in cls._member_map_:
        made._name_ = name
    made.__objclass__ = cls
    cls._member_map_[name] = made
    type.__setattr__(cls, name, made)
