# SPDX-License-Identifier: Apache-2.0
"""Conversion of Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tain
from tain import convert

if TYPE_CHECKING:
    from collections.abc import Callable


def convert_func(pyfunc: Callable[..., Any], *, tensor_cls: type | None = None) -> tain.Function:
    """Return a callable as a Function."""
    if not callable(pyfunc):
        raise TypeError(f"convert_func: expected a callable, got {type(pyfunc).__name__}")
    return convert(pyfunc)


__all__ = ["convert", "convert_func"]
