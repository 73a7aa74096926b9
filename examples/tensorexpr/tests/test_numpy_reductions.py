# SPDX-License-Identifier: Apache-2.0
"""Reductions, linear algebra and small networks do what numpy does."""

from __future__ import annotations

import itertools
import math
import operator
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy_programs import FLOATS, INTS, Library, Make, Table, edges, elementwise
from tensorexpr import te, tir

TABLE = Table()
add, normal, integers = TABLE.add, TABLE.normal, TABLE.integers


# ---------------------------------------------------------------- reductions


def reduction(
    reducer: Make, axes: tuple[int, ...], keepdims: bool = False, source: Make = lambda x: x
) -> Make:
    """Return the program that reduces a tensor over some of its axes."""

    def make(a: Any) -> Any:
        inner = {k: te.reduce_axis((0, a.shape[k]), f"k{k}") for k in axes}
        kept = [k for k in range(len(a.shape)) if keepdims or k not in axes]

        def body(*i: Any) -> Any:
            outer = dict(zip(kept, i, strict=True))
            at = tuple(inner[k] if k in inner else outer[k] for k in range(len(a.shape)))
            return reducer(source(a[at]), axis=list(inner.values()))

        return te.compute([1 if k in axes else a.shape[k] for k in kept], body, name="result")

    return make


REDUCERS = {"sum": te.sum, "prod": te.prod, "max": te.max, "min": te.min}


def reduced(name: str, a: np.ndarray, axis: Any = None, **more: Any) -> np.ndarray:
    kind = {"dtype": a.dtype} if name in ("sum", "prod") else {}  # not a wider one
    return np.asarray(getattr(np, name)(a, axis=axis, **kind, **more))


def add_reductions() -> None:
    floats, ints = normal(3, 4, 5), integers(3, 4, 5)
    nan = np.array([[1, np.nan, 2], [np.inf, -np.inf, 0], [np.nan, 1, 1]], "float32")
    symbolic, none = integers(4, 6), normal(3, 0)
    starts = {"max": -np.inf, "min": np.inf, "sum": 0, "prod": 1}
    for name, reducer in REDUCERS.items():
        for axes in [(0, 1, 2), (0,), (1,), (2,), (0, 2)]:
            make, keeps = reduction(reducer, axes), reduction(reducer, axes, keepdims=True)
            what = f"over axes {axes}"
            kept = reduced(name, floats, axes, keepdims=True)
            add(f"{name} of int32 {what}", [ints], make, reduced(name, ints, axes))
            add(f"{name} of float32 {what}", [floats], make, reduced(name, floats, axes), 1e-4)
            add(f"{name} of float32 {what}, keepdims", [floats], keeps, kept, 1e-4)
        for dtype in INTS + FLOATS:
            x = edges(dtype)[: -1 if dtype in FLOATS else None]
            make = reduction(reducer, (0,))
            add(f"{name} of the edges of {dtype}", [x], make, reduced(name, x))
        rows, start = reduction(reducer, (1,)), np.full(3, starts[name], "float32")
        add(f"{name} with NaN", [nan], rows, reduced(name, nan, 1))
        add(f"{name} of nothing", [none], rows, start)
        add(f"{name} of nothing, symbolic", [none], rows, start, shapes="n m")
        add(f"{name} with no results", [none.T], rows, start[:0])
        add(f"{name} symbolic", [symbolic], rows, reduced(name, symbolic, 1), shapes="n m")
    a = integers(3, 4, dtype="int8", low=-128, high=128)
    wide = reduction(te.sum, (1,), source=lambda x: x.astype("int64"))
    add("sum of int8 in int64", [a], wide, a.sum(axis=1))
    count = reduction(te.sum, (0, 1), source=lambda x: (x > 0).astype("int64"))
    add("count_nonzero", [a], count, np.count_nonzero(a > 0))
    flags = np.array([[0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 1, 0]], bool)
    any_of = te.comm_reducer(lambda x, y: x | y, lambda t: tir.const(0, t), "any")
    all_of = te.comm_reducer(lambda x, y: x & y, lambda t: tir.const(1, t), "all")
    add("any over an axis", [flags], reduction(any_of, (1,)), flags.any(axis=1))
    add("all over an axis", [~flags], reduction(all_of, (1,)), (~flags).all(axis=1))
    add("max of bool", [flags], reduction(te.max, (0,)), flags.max(axis=0))
    b = normal(3, 6)
    for name, reducer in (("sum", te.sum), ("max", te.max)):
        least = -np.inf if name == "max" else 0
        numpys = getattr(b, name)
        where = reduction(lambda x, axis, r=reducer: r(x, axis=axis, where=x > 0), (1,))
        add(f"{name} where positive", [b], where, numpys(axis=1, where=b > 0, initial=least), 1e-5)
        begin = reduction(partial(reducer, init=10), (1,))
        add(f"{name} with a start", [b], begin, numpys(axis=1, initial=10), 1e-5)

    def part(x: Any) -> Any:
        k = te.reduce_axis((2, 5), "k")
        return te.compute((3,), lambda i: te.sum(x[i, k], axis=k))

    add("sum of b[:, 2:5]", [b], part, b[:, 2:5].sum(axis=1), 1e-5)


def arg_reducer(is_better: Make, start: Make) -> Make:
    def combine(x: Any, y: Any) -> tuple[Any, Any]:
        first = tir.any(is_better(x[1], y[1]), tir.all(x[1].equal(y[1]), x[0] < y[0]))
        return tir.Select(first, x[0], y[0]), tir.Select(first, x[1], y[1])

    return te.comm_reducer(combine, lambda i, t: (tir.max_value(i), start(t)), "arg")


ARG = {
    "max": arg_reducer(operator.gt, tir.min_value),
    "min": arg_reducer(operator.lt, tir.max_value),
}


def add_arg_reductions() -> None:
    for name, dtype in itertools.product(ARG, ["float32", "int64", "uint8"]):
        a = integers(5, 6, dtype=dtype, high=6)  # some are equal
        for axis in (0, 1):

            def make(x: Any, name: str = name, axis: int = axis) -> Any:
                k = te.reduce_axis((0, x.shape[axis]), "k")

                def body(i: Any) -> Any:
                    return ARG[name]((k.var, x[(k, i) if axis == 0 else (i, k)]), axis=k)

                return te.compute((x.shape[1 - axis],), body, name="result")

            index = getattr(np, "arg" + name)(a, axis=axis).astype("int32")
            both = (index, getattr(np, name)(a, axis=axis))
            add(f"arg{name} of {dtype} over axis {axis}", [a], make, both)


# ---------------------------------------------------------------- linear algebra, networks


def matmul(out: str | None = None) -> Make:
    """Return the program of `a @ b` for tensors with equal leading dimensions."""

    def make(a: Any, b: Any) -> Any:
        k = te.reduce_axis((0, a.shape[-1]), "k")
        shape = [*list(a.shape)[:-1], b.shape[-1]]

        def body(*i: Any) -> Any:
            x, y = a[(*i[:-1], k)], b[(*i[:-2], k, i[-1])]
            return te.sum(x.astype(out) * y.astype(out) if out else x * y, axis=k)

        return te.compute(shape, body, name="product")

    return make


def add_matmuls() -> None:
    shapes = {
        "square": [(8, 8), (8, 8)],
        "odd": [(3, 7), (7, 5)],
        "one row": [(1, 9), (9, 4)],
        "one column": [(6, 9), (9, 1)],
        "outer": [(6, 1), (1, 5)],
        "of nothing": [(3, 0), (0, 4)],
        "no rows": [(0, 3), (3, 4)],
        "batched": [(3, 4, 5), (3, 5, 2)],
        "twice batched": [(2, 3, 4, 5), (2, 3, 5, 2)],
        "no batches": [(0, 4, 5), (0, 5, 2)],
    }
    for name, (left, right) in shapes.items():
        a, b = normal(*left, dtype="float64"), normal(*right, dtype="float64")
        add(f"matmul {name}", [a, b], matmul(), a @ b, 1e-10)
    a, b = normal(5, 6), normal(6, 7)
    add("matmul of float32", [a, b], matmul(), a @ b, 1e-4)
    add("matmul symbolic", [a, b], matmul(), a @ b, 1e-4, "n k, k m")
    a, b = integers(5, 70, dtype="int8", low=-128, high=128), integers(70, 3, dtype="int8")
    add("matmul of int8 wraps", [a, b], matmul(), a @ b)
    wide = a.astype("int32") @ b.astype("int32")
    add("matmul of int8 in int32", [a, b], matmul("int32"), wide)

    def chain(x: Any, y: Any, z: Any) -> Any:
        return matmul()(matmul()(x, y), z)

    a, b, c = integers(3, 4), integers(4, 5), integers(5, 2)
    add("matmul of three", [a, b, c], chain, a @ b @ c)

    def affine(x: Any, w: Any, bias: Any) -> Any:
        return elementwise(lambda p, q: tir.max(p + q, 0))(matmul()(x, w), bias)

    bias = integers(5)
    add("dense, bias, relu", [a, b, bias], affine, np.maximum(a @ b + bias, 0))

    def dot(x: Any, y: Any) -> Any:
        k = te.reduce_axis((0, x.shape[0]), "k")
        return te.compute((), lambda: te.sum(x[k] * y[k], axis=k))

    add("dot", [bias, bias], dot, np.dot(bias, bias))


def conv2d(stride: int, padding: int) -> Make:
    def make(x: Any, w: Any) -> Any:
        (n, c, h, wide), (o, _, kh, kw) = (tuple(int(e.value) for e in t.shape) for t in (x, w))

        def inside(i: Any, size: int) -> Any:
            return tir.all(i >= padding, i < size + padding)

        padded = te.compute(
            (n, c, h + 2 * padding, wide + 2 * padding),
            lambda b, d, i, j: tir.if_then_else(
                tir.all(inside(i, h), inside(j, wide)), x[b, d, i - padding, j - padding], 0
            ),
            name="padded",
        )
        d, p, q = (te.reduce_axis((0, e), r) for e, r in ((c, "d"), (kh, "p"), (kw, "q")))
        return te.compute(
            (n, o, (h + 2 * padding - kh) // stride + 1, (wide + 2 * padding - kw) // stride + 1),
            lambda b, f, i, j: te.sum(
                padded[b, d, i * stride + p, j * stride + q] * w[f, d, p, q], axis=[d, p, q]
            ),
            name="conv",
        )

    return make


def add_convolutions() -> None:
    for stride, padding, size in itertools.product((1, 2, 3), (0, 1, 2), (1, 3)):
        x, w = integers(2, 3, 7, 8), integers(4, 3, size, size)
        wide = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
        windows = np.lib.stride_tricks.sliding_window_view(wide, (size, size), axis=(2, 3))
        windows = windows[:, :, ::stride, ::stride]
        expected = np.einsum("bdijpq,fdpq->bfij", windows, w)
        name = f"conv2d {size}x{size}, stride {stride}, padding {padding}"
        add(name, [x, w], conv2d(stride, padding), expected)
    x = normal(2, 4, 6)

    def pool(a: Any) -> Any:
        p, q = te.reduce_axis((0, 2), "p"), te.reduce_axis((0, 3), "q")
        return te.compute(
            (2, 2, 2), lambda c, i, j: te.max(a[c, 2 * i + p, 3 * j + q], axis=[p, q])
        )

    add("max pooling", [x], pool, x.reshape(2, 2, 2, 2, 3).max(axis=(2, 4)))


def over_rows(reducer: Make, a: Any, f: Make = lambda x: x) -> Any:
    return reduction(reducer, (1,), keepdims=True, source=f)(a)


def softmax(x: Any) -> Any:
    shifted = elementwise(lambda a, m: tir.exp(a - m))(x, over_rows(te.max, x))
    return elementwise(lambda a, s: a / s)(shifted, over_rows(te.sum, shifted))


def layer_norm(x: Any, scale: Any, shift: Any) -> Any:
    count = x.shape[1].astype(str(x.dtype))
    mean = elementwise(lambda s: s / count)(over_rows(te.sum, x))
    centred = elementwise(lambda a, m: a - m)(x, mean)
    variance = over_rows(te.sum, centred, lambda a: a * a)
    return elementwise(lambda a, v, g, b: a * tir.rsqrt(v / count + 1e-5) * g + b)(
        centred, variance, scale, shift
    )


def add_networks() -> None:
    for dtype, shapes in itertools.product(FLOATS, ("", "n m")):
        rtol = 1e-4 if dtype == "float32" else 1e-11
        x, scale, shift = (normal(*s, dtype=dtype) for s in ((5, 9), (9,), (9,)))
        how = f"{dtype}, symbolic" if shapes else dtype
        e = np.exp(x - x.max(axis=1, keepdims=True))
        add(f"softmax {how}", [x], softmax, e / e.sum(axis=1, keepdims=True), rtol, shapes)
        y = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
        inputs = [x, scale, shift]
        add(
            f"layer norm {how}",
            inputs,
            layer_norm,
            (y * scale + shift).astype(dtype),
            rtol,
            shapes and "n m, m, m",
        )
    large = np.array([[1000, 1001, 999], [-np.inf, 0, 0], [-1e30, 1e30, 0]], "float32")
    e = np.exp(large - large.max(axis=1, keepdims=True))
    add("softmax of large numbers", [large], softmax, e / e.sum(axis=1, keepdims=True), 1e-5)
    x = normal(6)

    def gelu(a: Any) -> Any:
        return a * 0.5 * (tir.erf(a * (0.5**0.5)) + 1)

    expected = [v * 0.5 * (math.erf(v * 0.5**0.5) + 1) for v in x.tolist()]
    add("gelu", [x], elementwise(gelu), np.array(expected, "float32"), 1e-4)

    def several(a: Any) -> Any:
        return te.compute(a.shape, lambda i: (a[i] + 1, a[i] > 0, tir.floor(a[i]).astype("int32")))

    add("three results of a stage", [x], several, (x + 1, x > 0, np.floor(x).astype("int32")))


with np.errstate(all="ignore"):
    add_reductions()
    add_arg_reductions()
    add_matmuls()
    add_convolutions()
    add_networks()


@pytest.fixture(scope="module", name="library")
def library_fixture() -> Library:
    return TABLE.library()


@pytest.mark.parametrize("how", ["block", "scheduled"])
@pytest.mark.parametrize("name", TABLE.programs)
def test_program(name: str, how: str, library: Library) -> None:
    TABLE.check(name, how, library)
