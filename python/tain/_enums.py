# SPDX-License-Identifier: Apache-2.0
"""How members of C++ enums are printed: `Op.ADD`, whatever kind of enum it is.

`tain._core` imports this module when it makes the first class of an enum.
"""

from __future__ import annotations

from enum import Enum, Flag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["member_format", "member_text", "set_text"]


def member_text(self: Any) -> str:
    """Return `Op.ADD`; `Access.READ|Access.WRITE` for flags that are combined."""
    cls = type(self)
    name = self._name_
    if name in cls.__members__:
        return f"{cls.__name__}.{name}"
    value = int(self)
    parts, rest = [], value
    for member in cls:
        bits = int(member)
        if bits and bits & value == bits and bits & rest:
            parts.append(f"{cls.__name__}.{member._name_}")
            rest &= ~bits
    if rest or not parts:
        parts.append(f"{cls.__name__}({rest})" if not parts else str(rest))
    return "|".join(parts)


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
