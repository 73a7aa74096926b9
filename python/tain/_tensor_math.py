# SPDX-License-Identifier: Apache-2.0
"""The operations of `tain.Tensor`: numpy computes them, or the library of the other operand.

Results are arrays of that library, not Tensors.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

import tain

__all__ = ["apply", "call", "change", "contains", "makers_of", "operate", "pick"]

_OTHER_NAMES = {"and": operator.and_, "or": operator.or_, "divmod": divmod}


def operate(name: str, left: Any, right: Any) -> Any:
    """Apply an operator to two operands, of which at least one is a Tensor."""
    other = right if isinstance(left, tain.Tensor) else left
    convert = _converter(other)
    function: Callable[[Any, Any], Any] = _OTHER_NAMES.get(name) or getattr(operator, name)
    return function(_operand(left, convert), _operand(right, convert))


def change(name: str, tensor: tain.Tensor, other: Any) -> tain.Tensor:
    """Apply an operator such as `+=` to the elements of a Tensor, which is returned."""
    convert = _converter(other)
    target = _operand(tensor, convert)
    if tensor.read_only:
        raise ValueError("Tensor: the tensor is read-only")
    getattr(operator, name)(target, _operand(other, convert))
    return tensor


def apply(name: str, tensor: tain.Tensor) -> Any:
    """Apply an operator with one operand."""
    return getattr(operator, name)(_array(tensor))


def contains(tensor: tain.Tensor, value: Any) -> bool:
    """`value in tensor`."""
    return bool((_array(tensor) == _operand(value, _array)).any())


def pick(tensor: tain.Tensor, key: Any) -> Any:
    """`tensor[key]` for a key that is no view: a mask, a list of indices."""
    return _array(tensor)[_operand(key, _array)]


def call(name: str, tensor: tain.Tensor, /, *args: Any, **kwargs: Any) -> Any:
    """Call a method of numpy's arrays."""
    if name in ("fill", "sort") and tensor.read_only:
        raise ValueError("Tensor: the tensor is read-only")
    return getattr(_array(tensor), name)(*args, **kwargs)


def _operand(value: Any, convert: Callable[[tain.Tensor], Any]) -> Any:
    return convert(value) if isinstance(value, tain.Tensor) else value


def _array(tensor: tain.Tensor) -> Any:
    """Return the array of numpy that computes for a tensor."""
    if not tensor._is_on_host:
        raise TypeError(
            f"Tensor: tain computes nothing on {tensor.device}: convert the tensor by from_dlpack "
            "of the library that made it"
        )
    try:
        return tensor.numpy()
    except BufferError as error:
        raise TypeError(f"Tensor: numpy has no elements of {tensor.dtype}") from error


def _converter(other: Any) -> Callable[[tain.Tensor], Any]:
    """Return what makes an operand of a Tensor: an array of the library of the other operand."""
    cls = type(other)
    if cls is tain.Tensor or not hasattr(cls, "__dlpack__") or _package_of(cls) == "numpy":
        return _array
    return next(makers_of(cls), _array)


def makers_of(cls: type) -> Iterator[Callable[[tain.Tensor], Any]]:
    """Yield the functions `from_dlpack` of the library that has a class of arrays."""
    package = _package_of(cls)
    # JAX's arrays are compiled into its package jaxlib.
    library = sys.modules.get("jax" if package == "jaxlib" else package)
    for owner in (library, getattr(library, "dlpack", None)):
        make = getattr(owner, "from_dlpack", None)
        if callable(make):
            yield make


def _package_of(cls: type) -> str:
    return cls.__module__.partition(".")[0]
