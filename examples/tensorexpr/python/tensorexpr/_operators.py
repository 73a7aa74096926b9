# SPDX-License-Identifier: Apache-2.0
"""What expressions have in Python alone: `==`, showing, elements of tensors."""

from __future__ import annotations

from typing import Any

from tain.types.tensorexpr import IRModule
from tain.types.tensorexpr.te import Tensor
from tain.types.tensorexpr.tir import (
    Buffer,
    BufferLoad,
    ExprConvertible,
    PrimExpr,
    PrimFunc,
    ProducerLoad,
    Stmt,
)

from . import _show


def _eq(self: Any, other: Any) -> Any:
    return self.equal(other)


def _ne(self: Any, other: Any) -> Any:
    return self.not_equal(other)


def _is_tensor(one: Any) -> bool:
    return isinstance(one, Tensor) and one.ndim > 0


def _same_tensor(self: Any, other: Any) -> Any:
    if self.ndim == 0 and not _is_tensor(other) and other is not None:
        return self.equal(other)
    return _is_tensor(other) and self.op.same_as(other.op) and self.value_index == other.value_index


def _other_tensor(self: Any, other: Any) -> Any:
    if self.ndim == 0 and not _is_tensor(other) and other is not None:
        return self.not_equal(other)
    return not _same_tensor(self, other)


def _indices(index: Any) -> tuple[Any, ...]:
    return index if isinstance(index, tuple) else (index,)


def install() -> None:
    """Give the classes of C++ what only Python can say."""
    for cls in (PrimExpr, ExprConvertible):
        cls.__eq__ = _eq  # type: ignore[method-assign]
        cls.__ne__ = _ne  # type: ignore[method-assign]
        cls.__hash__ = cls.__mro__[-2].__hash__  # identity: `==` is an expression
    for cls in (PrimExpr, Stmt, PrimFunc, IRModule):
        cls.show = _show.show
        cls._repr_html_ = _show.repr_html
    # Two tensors are equal if they are the same result of one operation.
    Tensor.__eq__ = _same_tensor
    Tensor.__ne__ = _other_tensor
    Tensor.__hash__ = lambda self: hash((self.op.name, self.value_index))
    Tensor.__getitem__ = lambda self, index: ProducerLoad(self, _indices(index))
    Tensor.__call__ = lambda self, *indices: ProducerLoad(self, indices)
    Buffer.__getitem__ = lambda self, index: BufferLoad(self, _indices(index))
    Buffer.__iter__ = None
    Tensor.__iter__ = None
