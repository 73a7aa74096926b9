# SPDX-License-Identifier: Apache-2.0
"""Tensors that are computed from others, and the order in which that is done."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable
from typing import Any

from tain.types.tensorexpr.te import (
    Operation,
    Schedule,
    Stage,
    Tensor,
    _compute,
    _create_schedule,
    _extern,
)
from tain.types.tensorexpr.te import (
    placeholder as _placeholder,
)
from tain.types.tensorexpr.tir import (
    CommReducer,
    IterType,
    IterVar,
    Range,
    Reduce,
    SizeVar,
    Stmt,
    Var,
)

import tain

from . import tir

# What C++ registers; the functions below take the place of some.
tain.init_ffi_api("tensorexpr.te", __name__)


def _extents(shape: Any) -> list[Any]:
    """Return the extents of a shape; a float that is a whole number, such as n / 4, is one."""
    extents = []
    for one in tir._tuple(shape):
        if isinstance(one, float):
            if not one.is_integer():
                raise ValueError(f"an extent must be a whole number, got {one}")
            one = int(one)
        extents.append(tir.as_expr(one))
    return extents


def placeholder(shape: Any, dtype: str = "float32", name: str = "placeholder") -> Tensor:
    """Return a tensor that is given."""
    return _placeholder(_extents(shape), dtype, name)


def var(name: str = "n", dtype: str = "int32") -> Var:
    """Return a variable: an extent that is known when the program runs."""
    return SizeVar(name, dtype) if dtype in ("int32", "int64") else Var(name, dtype)


def _range(dom: Any) -> Range:
    if isinstance(dom, Range):
        return dom
    begin, end = dom
    return Range(begin, end)


def reduce_axis(dom: Any, name: str = "rv", thread_tag: str = "") -> IterVar:
    """Return an axis of a reduction over the integers of `dom`, a Range or (begin, end)."""
    dom = _range(dom)
    return IterVar(dom, Var(name, dom.extent.dtype), IterType.CommReduce, thread_tag)


def _names(fcompute: Callable[..., Any], count: int) -> list[str]:
    names: list[str] = []
    for parameter in inspect.signature(fcompute).parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            names += [f"i{k}" for k in range(len(names), count)]
        elif parameter.default is parameter.empty and parameter.kind in (
            parameter.POSITIONAL_ONLY,
            parameter.POSITIONAL_OR_KEYWORD,
        ):
            names.append(parameter.name)
    return names


def compute(
    shape: Any,
    fcompute: Callable[..., Any],
    name: str = "compute",
    tag: str = "",
    attrs: dict[str, Any] | None = None,
    varargs_names: list[str] | None = None,
) -> Any:
    """Return the tensor whose element at (i, j, ...) is `fcompute(i, j, ...)`.

    If `fcompute` returns several expressions, the result is a tuple of tensors.
    """
    extents = _extents(shape)
    names = list(varargs_names) if varargs_names else _names(fcompute, len(extents))
    if len(names) != len(extents):
        raise ValueError(
            f"{name}: the shape has {len(extents)} dimensions, but the function takes "
            f"{len(names)} indices"
        )
    axis = [
        IterVar(Range.from_min_extent(0, e), Var(n, e.dtype), IterType.DataPar)
        for n, e in zip(names, extents, strict=True)
    ]
    body = fcompute(*(one.var for one in axis))
    several = isinstance(body, (tuple, list, tain.Array))
    tensors = _compute(name, tag, attrs or {}, axis, list(body) if several else [body])
    return tuple(tensors) if several else tensors[0]


def extern(
    shape: Any,
    inputs: Any,
    fcompute: Callable[..., Any],
    name: str = "extern",
    dtype: Any = None,
    in_buffers: Any = None,
    out_buffers: Any = None,
    tag: str = "",
    attrs: dict[str, Any] | None = None,
) -> Any:
    """Return tensors that a statement computes, such as a call of a foreign function.

    `fcompute(ins, outs)` returns the statement for buffers of the inputs and of the results.
    """
    inputs = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    shapes = tir._tuple(shape)
    if not shapes or not isinstance(shapes[0], (tuple, list, tain.Array, tain.Shape)):
        shapes = (shapes,)
    if dtype is None:
        kinds = {str(one.dtype) for one in inputs}
        if len(kinds) != 1:
            raise ValueError(f"{name}: the inputs have the types {sorted(kinds)}; give the dtype")
        dtype = kinds.pop()
    dtypes = [dtype] * len(shapes) if isinstance(dtype, (str, tain.dtype)) else list(dtype)

    def buffer(extents: Any, kind: str, its_name: str) -> Any:
        offset = Var("elem_offset", "int32")
        return tir.decl_buffer(extents, kind, its_name, elem_offset=offset, offset_factor=1)

    ins = list(in_buffers or [buffer(one.shape, one.dtype, one.name) for one in inputs])
    outs = out_buffers or [buffer(s, d, name) for s, d in zip(shapes, dtypes, strict=True)]
    outs = [outs] if isinstance(outs, tir.Buffer) else list(outs)
    body = fcompute(ins, outs)
    if not isinstance(body, Stmt):
        body = tir.Evaluate(body)
    tensors = _extern(name, tag, attrs or {}, inputs, ins, outs, body)
    return tensors[0] if len(tensors) == 1 else tuple(tensors)


def _are_axes(axis: Any) -> bool:
    return isinstance(axis, IterVar) or (
        isinstance(axis, (tuple, list, tain.Array))
        and builtins.all(isinstance(one, IterVar) for one in axis)
    )


def comm_reducer(
    fcombine: Callable[[Any, Any], Any],
    fidentity: Callable[..., Any],
    name: str = "reduce",
    *,
    counts_bools: bool = False,
) -> Callable[..., Any]:
    """Return a function that reduces expressions over axes.

    `fcombine(a, b)` combines two values, or two tuples of values; `fidentity(dtype, ...)` is the
    value that changes nothing. With `counts_bools`, bools are reduced as integers. Without an axis,
    the function combines its arguments, as in `max(a, b)`.
    """

    def reduced(expr: Any, axis: Any, where: Any = None, init: Any = None) -> Any:
        if not _are_axes(axis):
            raise TypeError(f"{name}: expected axes from te.reduce_axis, got {axis!r}")
        several = isinstance(expr, (tuple, list))
        sources = [tir.as_expr(one) for one in (expr if several else [expr])]
        if counts_bools:
            sources = [one.astype("int32") if str(one.dtype) == "bool" else one for one in sources]
        lhs = [Var(f"x{i}" if several else "x", one.dtype) for i, one in enumerate(sources)]
        rhs = [Var(f"y{i}" if several else "y", one.dtype) for i, one in enumerate(sources)]
        identity = fidentity(*(str(one.dtype) for one in sources))
        if several:
            result, identity = list(fcombine(tuple(lhs), tuple(rhs))), list(identity)
        else:
            result, identity = [fcombine(lhs[0], rhs[0])], [identity]
        starts = [] if init is None else list(init) if several else [init]
        if starts:
            starts = [
                tir.as_expr(one).astype(s.dtype) for one, s in zip(starts, sources, strict=True)
            ]
        combiner = CommReducer(lhs, rhs, result, identity)
        axes = list(axis) if isinstance(axis, (tuple, list, tain.Array)) else [axis]
        condition = tir.const(1, "bool") if where is None else where
        made = [Reduce(combiner, sources, starts, axes, condition, i) for i in range(len(sources))]
        return tuple(made) if several else made[0]

    def reducer(expr: Any, *args: Any, **options: Any) -> Any:
        if options or (args and _are_axes(args[0])):
            return reduced(expr, *args, **options)
        for one in args:
            expr = fcombine(expr, one)
        return expr

    reducer.__name__ = reducer.__qualname__ = name
    reduced.__name__ = reduced.__qualname__ = name  # for the messages of Python
    return reducer


sum = comm_reducer(lambda x, y: x + y, lambda t: tir.const(0, t), "sum", counts_bools=True)
prod = comm_reducer(lambda x, y: x * y, lambda t: tir.const(1, t), "prod", counts_bools=True)
max = comm_reducer(lambda x, y: tir.max(x, y), tir.min_value, "max")
min = comm_reducer(lambda x, y: tir.min(x, y), tir.max_value, "min")


# The functions of expressions, under this name too.
for _name in (
    *("abs", "acos", "acosh", "all", "any", "asin", "asinh", "atan", "atanh", "ceil", "ceildiv"),
    *("const", "cos", "cosh", "erf", "exp", "floor", "floordiv", "floormod", "fmod"),
    *("if_then_else", "indexdiv", "indexmod", "isfinite", "isinf", "isnan", "log", "log10", "log2"),
    *("max_value", "min_value", "power", "round", "rsqrt", "sigmoid", "sin", "sinh", "sqrt"),
    *("tan", "tanh", "trunc", "truncdiv", "truncmod"),
):
    globals()[_name] = getattr(tir, _name)


def create_schedule(ops: Any) -> Schedule:
    """Return the schedule of operations (or tensors) and of all that they need."""
    several = ops if isinstance(ops, (list, tuple, tain.Array)) else [ops]
    return _create_schedule([one.op if isinstance(one, Tensor) else one for one in several])


def _op(key: Any) -> Operation:
    return key.op if isinstance(key, Tensor) else key


def _axes(axes: tuple[Any, ...]) -> list[IterVar]:
    if len(axes) == 1 and isinstance(axes[0], (list, tuple, tain.Array)):
        return list(axes[0])
    return list(axes)


def _getitem(self: Schedule, key: Any) -> Stage:
    return self._stage(_op(key))


def _fuse(self: Stage, *axes: Any) -> IterVar:
    """Fuse axes that follow one another into one."""
    return self._fuse(_axes(axes))


def _reorder(self: Stage, *axes: Any) -> None:
    """Put axes in this order, in the places that they have now."""
    self._reorder(_axes(axes))


def _tile(self: Stage, x: IterVar, y: IterVar, x_factor: Any, y_factor: Any) -> tuple[IterVar, ...]:
    """Split two axes, and put the inner ones inside."""
    xo, xi = self.split(x, x_factor)
    yo, yi = self.split(y, y_factor)
    self.reorder(xo, yo, xi, yi)
    return xo, yo, xi, yi


def _compute_at(self: Stage, parent: Any, axis: IterVar) -> None:
    """Compute what a step of a loop of another stage needs, in that step."""
    self._compute_at(parent, axis)


def _cache_write(self: Schedule, tensor: Tensor, scope: str) -> Tensor:
    """Compute a tensor in memory of another kind first, and copy it then."""
    return self._cache_write(tensor, scope)


def _cache_read(self: Schedule, tensor: Tensor, scope: str, readers: Any) -> Tensor:
    """Copy a tensor, and let the readers read the copy."""
    several = readers if isinstance(readers, (list, tuple, tain.Array)) else [readers]
    return self._cache_read(tensor, scope, [_op(one) for one in several])


Schedule.__getitem__ = _getitem
Schedule.cache_write = _cache_write
Schedule.cache_read = _cache_read
Stage.fuse = _fuse
Stage.reorder = _reorder
Stage.tile = _tile
Stage.compute_at = _compute_at
