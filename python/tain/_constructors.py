# SPDX-License-Identifier: Apache-2.0
"""What `Cls(...)` takes of the fields of a registered type, and what cannot be assigned afterwards.

Copies, loads and pickles do not call the class: libtain's plan (tain/internal/make_plan.h) is for
them.
"""

from __future__ import annotations

from collections.abc import Container

from tain import _core

__all__ = ["is_decorated", "is_unsettable", "parameters_of"]


def is_decorated(cls: type) -> bool:
    """Return whether ``@dataclass`` made a class, or one of its bases."""
    return any(isinstance(vars(base).get("__dataclass_fields__"), dict) for base in cls.__mro__)


def parameters_of(info: _core.TypeInfo) -> dict[str, _core.ArgInfo]:
    """Return the constructor's parameters that can be given by name."""
    args = [] if info.constructor is None else info.constructor.args
    return {arg.name: arg for arg in args if arg.is_named}


def is_unsettable(field: _core.FieldInfo, parameters: Container[str]) -> bool:
    """Return whether a field is neither a parameter nor can be assigned."""
    return field.name not in parameters and not field.writable
