# SPDX-License-Identifier: Apache-2.0
"""What `Cls(...)` takes of the fields of a registered type, and what cannot be assigned afterwards.

Copies, loads and pickles do not call the class: libtain's plan (tain/internal/make_plan.h) is for
them.
"""

from __future__ import annotations

from collections.abc import Container

from tain import _core

__all__ = ["is_unsettable", "parameters_of"]


def parameters_of(info: _core.TypeInfo) -> dict[str, _core.ArgInfo]:
    """Return the constructor's parameters that can be given by name."""
    constructor = info.constructor
    return (
        {} if constructor is None else {arg.name: arg for arg in constructor.args if arg.is_named}
    )


def is_unsettable(field: _core.FieldInfo, parameters: Container[str]) -> bool:
    """Return whether a field is neither a parameter nor can be assigned."""
    return field.name not in parameters and not field.writable
