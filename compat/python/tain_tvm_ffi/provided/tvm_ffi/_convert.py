# SPDX-License-Identifier: Apache-2.0
"""Conversion of Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tain
from tain import convert

if TYPE_CHECKING:
    from collections.abc import Callable


def _same(value: Any) -> Any:
    return value


def convert_func(pyfunc: Callable[..., Any], *, tensor_cls: type | None = None) -> tain.Function:
    """Return a callable as a Function."""
    if not callable(pyfunc):
        raise TypeError(f"convert_func: expected a callable, got {type(pyfunc).__name__}")
    if tensor_cls is not None and not hasattr(tensor_cls, "__dlpack_c_exchange_api__"):
        raise TypeError(
            f"convert_func: {tensor_cls.__name__} has no __dlpack_c_exchange_api__, by which its "
            "objects are made"
        )
    if tensor_cls is None:
        return convert(pyfunc)
    as_class = convert(_same).with_tensor_type(tensor_cls)

    def call(*args: Any) -> Any:
        return pyfunc(*[as_class(arg) if isinstance(arg, tain.Tensor) else arg for arg in args])

    return convert(call)


__all__ = ["convert", "convert_func"]
