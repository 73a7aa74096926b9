# SPDX-License-Identifier: Apache-2.0
"""Classes of registered types, and types that are defined in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tain import field, py_class

from ..core import MISSING
from ..registry import register_object

if TYPE_CHECKING:
    from collections.abc import Callable


def method(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a method of a type that is defined in Python as one that other languages can call."""
    return function


def c_class(type_key: str, **options: Any) -> Callable[[type], type]:
    """Make a class the class of a registered type, with what a dataclass has."""
    return register_object(type_key)


__all__ = ["MISSING", "c_class", "field", "method", "py_class"]
