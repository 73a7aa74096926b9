# SPDX-License-Identifier: Apache-2.0
"""Expressions and programs: the nodes, and functions that make them."""

from __future__ import annotations

from typing import Any

from tain.types.tensorexpr.tir import (
    Buffer,
    Call,
    Evaluate,
    IntImm,
    PrimExpr,
    Select,
    SeqStmt,
    Stmt,
    as_expr,
    const,
    floordiv,
    floormod,
)

import tain

from . import stmt_functor as stmt_functor

# What C++ registers; the functions below take the place of some.
tain.init_ffi_api("tensorexpr.tir", __name__)


def decl_buffer(
    shape: Any,
    dtype: str = "float32",
    name: str = "buffer",
    data: Any = None,
    strides: Any = None,
    elem_offset: Any = None,
    scope: str = "global",
    data_alignment: int = 64,
    offset_factor: int = 0,
) -> Buffer:
    """Return a buffer; without `data` it has an address of its own."""
    return Buffer(
        _tuple(shape),
        dtype,
        name,
        data,
        strides or (),
        0 if elem_offset is None else elem_offset,
        data_alignment,
        offset_factor,
        scope,
    )


def _tuple(shape: Any) -> tuple[Any, ...]:
    return tuple(shape) if isinstance(shape, (tuple, list, tain.Array, tain.Shape)) else (shape,)


def _argument(value: Any) -> Any:
    """Return what a packed function gets: a buffer as the description of an array."""
    if not isinstance(value, Buffer):
        return value
    shape = Call("handle", "tvm_stack_make_shape", list(value.shape))
    strides = (
        Call("handle", "tvm_stack_make_shape", list(value.strides)) if len(value.strides) else 0
    )
    return Call(
        "handle",
        "tvm_stack_make_array",
        [value.data, shape, strides, len(value.shape), const(0, value.dtype), value.elem_offset],
    )


def call_packed(name: str, *args: Any) -> PrimExpr:
    """Call a registered function, of C++ or Python; buffers arrive as tensors that share memory."""
    return Call("int32", "call_packed", [name, *map(_argument, args)])


def call_extern(dtype: str, name: str, *args: Any) -> PrimExpr:
    """Call a function of C by its name."""
    return Call(dtype, "call_extern", [name, *args])


def if_then_else(condition: Any, true_value: Any, false_value: Any) -> PrimExpr:
    """Return one of two values; only that one is computed."""
    chosen = Select(condition, true_value, false_value)
    if not isinstance(chosen, Select):
        return chosen
    return Call(
        chosen.dtype, "if_then_else", [chosen.condition, chosen.true_value, chosen.false_value]
    )


def all(*args: Any) -> PrimExpr:
    """Return whether all conditions hold."""
    result = const(True, "bool")
    for one in args:
        result = result & one
    return result


def any(*args: Any) -> PrimExpr:
    """Return whether one of the conditions holds."""
    result = const(False, "bool")
    for one in args:
        result = result | one
    return result


def ceildiv(a: Any, b: Any) -> PrimExpr:
    """Return the quotient of integers, rounded up."""
    return -(-as_expr(a) // b)


def likely(condition: Any) -> PrimExpr:
    """Return the condition: the compiler finds by itself what is likely."""
    return as_expr(condition)


def isnan(x: Any) -> PrimExpr:
    """Return whether a float is not a number."""
    x = as_expr(x)
    return x != x


def isinf(x: Any) -> PrimExpr:
    """Return whether a float is infinite."""
    return abs(x) == const(float("inf"), as_expr(x).dtype)


def isfinite(x: Any) -> PrimExpr:
    """Return whether a float is neither infinite nor not a number."""
    return abs(x) < const(float("inf"), as_expr(x).dtype)


power = pow
indexdiv, indexmod = floordiv, floormod
call_pure_extern = call_extern


def _limit(dtype: str, largest: bool) -> PrimExpr:
    kind = tain.dtype(dtype)
    name = str(kind)
    if name.startswith("float") or name == "bfloat16":
        return const(float("inf") if largest else float("-inf"), dtype)
    bits = 1 if name == "bool" else int(name.lstrip("uint"))
    if name.startswith("int"):
        value = 2 ** (bits - 1) - 1 if largest else -(2 ** (bits - 1))
    else:
        value = 2**bits - 1 if largest else 0
    if value >= 2**63:
        value -= 2**64  # the bits of the number
    return IntImm(dtype, value)


def max_value(dtype: str) -> PrimExpr:
    """Return the largest value of a data type: infinity for floats."""
    return _limit(dtype, True)


def min_value(dtype: str) -> PrimExpr:
    """Return the smallest value of a data type: minus infinity for floats."""
    return _limit(dtype, False)


def stmt_seq(*parts: Any) -> Any:
    """Return statements one after the other; expressions are evaluated."""
    made = [part if isinstance(part, Stmt) else Evaluate(part) for part in parts]
    return made[0] if len(made) == 1 else SeqStmt(made)
