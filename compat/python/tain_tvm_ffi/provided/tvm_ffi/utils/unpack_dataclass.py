# SPDX-License-Identifier: Apache-2.0
"""Dataclasses as tuples, at any depth and without copies of what is inside."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

__all__ = ["unpack_dataclass_to_tuple"]


@cache
def _names(cls: type) -> tuple[str, ...] | None:
    if not dataclasses.is_dataclass(cls):
        return None
    return tuple(field.name for field in dataclasses.fields(cls))


def unpack_dataclass_to_tuple(x: Any) -> Any:
    """Return a value in which dataclasses are tuples, inside of dicts and sequences too."""
    again = unpack_dataclass_to_tuple
    cls = type(x)
    if (names := _names(cls)) is not None:
        return tuple([again(getattr(x, name)) for name in names])
    if isinstance(x, tuple) and hasattr(cls, "_fields"):
        return cls(*map(again, x))
    if isinstance(x, (list, tuple)):
        return cls(map(again, x))
    if isinstance(x, dict):
        return {key: again(value) for key, value in x.items()}
    return x
