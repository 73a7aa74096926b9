# SPDX-License-Identifier: Apache-2.0
"""What a schedule refuses, and what stages and axes say of themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorexpr as tx
from tensorexpr import te, tir


def matmul(n: int = 16) -> tuple[Any, list[Any], Any]:
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    return te.create_schedule(c.op), [a, b, c], k


def test_stages_and_axes() -> None:
    s, (_, _, c), k = matmul()
    outer, inner = s[c].split(c.op.axis[0], factor=4)
    s[c].parallel(outer)
    stage = s[c]
    assert [axis.var.name for axis in stage.leaf_iter_vars] == ["i_outer", "i_inner", "j", "k"]
    assert [axis.var.name for axis in stage.all_iter_vars] == ["i", "j", "k", "i_outer", "i_inner"]
    assert (stage.op.name, stage.is_output, stage.scope) == ("C", True, "global")
    assert (inner.iter_type, k.iter_type) == (tir.IterType.DataPar, tir.IterType.CommReduce)
    assert stage.attach_type.name == "GroupRoot"
    assert k.dom.extent.value == 16
    assert [t.name for t in c.op.input_tensors] == ["A", "B"]


def refused() -> dict[str, tuple[Any, str]]:
    s, (a, _, c), k = matmul()
    i, j = c.op.axis
    other = te.compute((16,), lambda x: a[x, 0], name="O").op.axis[0]
    return {
        "foreign axis": (lambda: s[c].split(other, 2), "split: x is no axis of stage C"),
        "no factor": (lambda: s[c].split(i), "give either the factor or nparts for i of stage C"),
        "factor 0": (lambda: s[c].split(i, 0), "factor of i of stage C must be a positive integer"),
        "twice": (lambda: s[c].reorder(i, i), "reorder: i of stage C is named twice"),
        "fuse apart": (lambda: s[c].fuse(i, k), "the axis k of stage C does not follow i"),
        "fuse kinds": (
            lambda: s[c].fuse(j, k),
            "one of j and k of stage C belongs to the reduction",
        ),
        "parallel": (lambda: s[c].parallel(k), "parallel: k of stage C belongs to a reduction"),
        "bind": (lambda: s[c].bind(i, "threadIdx.x"), "no code for GPUs is made, so i of stage C"),
        "result": (lambda: s[c].compute_at(s[a], i), "compute_at: i is no axis of stage A"),
        "placeholder": (lambda: s[a].compute_inline(), "the stage A computes no expression"),
        "inline": (lambda: s[c].compute_inline(), "compute_inline: the stage C is a reduction"),
        "rfactor": (lambda: s.rfactor(c, i), "rfactor: i of stage C is no axis of a reduction"),
        "reader": (lambda: s.cache_read(c, "local", [c.op]), "the stage C does not read C"),
        "unknown": (lambda: s[te.placeholder((1,), name="Z")], "the schedule has no stage for Z"),
        "not given": (
            lambda: tx.lower(s, [a, c]),
            "the placeholder B is needed, but is no argument",
        ),
    }


@pytest.mark.parametrize("name", refused())
def test_what_is_refused(name: str) -> None:
    action, message = refused()[name]
    with pytest.raises(ValueError, match=message):
        action()


def test_a_consumer_that_does_not_exist() -> None:
    a = te.placeholder((8,), name="A")
    b = te.compute((8,), lambda i: a[i] + 1, name="B")
    c = te.compute((8,), lambda i: a[i] * 2, name="C")
    d = te.compute((8,), lambda i: b[i] + c[i], name="D")
    s = te.create_schedule(d)
    s[b].compute_at(s[c], c.op.axis[0])
    with pytest.raises(
        ValueError, match="the stage B is computed in the loop i of C, but D reads it"
    ):
        tx.lower(s, [a, d])
    s[b].compute_at(s[d], d.op.axis[0])
    s[c].compute_at(s[b], b.op.axis[0])
    with pytest.raises(ValueError, match="stage C is computed in the loop i of B, but D reads it"):
        tx.lower(s, [a, d])


def test_the_order_of_an_argmax_stays() -> None:
    a = te.placeholder((4, 4), "int32", name="A")
    x, y = te.reduce_axis((0, 4), "x"), te.reduce_axis((0, 4), "y")
    argmax = te.comm_reducer(
        lambda p, q: (tir.Select(p[1] >= q[1], p[0], q[0]), tir.max(p[1], q[1])),
        lambda t0, t1: (tir.const(-1, t0), tir.min_value(t1)),
    )
    where, value = te.compute((1,), lambda _: argmax((x * 4 + y, a[x, y]), axis=[x, y]), name="M")
    s = te.create_schedule(where.op)
    with pytest.raises(ValueError, match="stage M has several values, so its result may depend"):
        s[where].reorder(y, x)
    outer, inner = s[where].split(x, 2)
    with pytest.raises(ValueError, match="its result may depend on the order of the axis x_inner"):
        s[where].reorder(inner, where.op.axis[0], outer)
    f = tx.build(s, [a, where, value])
    given = np.array([[1, 5, 5, 2]] * 4, "int32")
    at, most = np.zeros(1, "int32"), np.zeros(1, "int32")
    f(given, at, most)
    assert (at[0], most[0]) == (1, 5)


@pytest.mark.parametrize("size", [16, 50])
def test_rfactor_and_caches(size: int) -> None:
    s, (a, b, c), _ = matmul(size)
    (k,) = s[c].op.reduce_axis
    _, inner = s[c].split(k, factor=8)
    factored = s.rfactor(c, inner)
    s[factored].parallel(s[factored].op.axis[0])
    copy = s.cache_read(a, "local", [factored.op])
    s[copy].compute_at(s[factored], s[factored].op.axis[1])
    f = tx.build(s, [a, b, c])
    x, y = (np.random.rand(size, size).astype("float32") for _ in range(2))
    z = np.zeros_like(x)
    f(x, y, z)
    np.testing.assert_allclose(z, x @ y, rtol=1e-4)


def run(s: Any, args: list[Any], *arrays: Any) -> None:
    tx.build(s, args)(*arrays)


def test_rfactor_of_a_symbolic_extent() -> None:
    n = te.var("n")
    a, k = te.placeholder((3, n), name="A"), te.reduce_axis((0, n), name="k")
    total = te.compute((3,), lambda i: te.sum(a[i, k], axis=k), name="S")
    for place, shape in ((0, (4, 3)), (1, (3, 4)), (-1, (3, 4)), (-2, (4, 3))):
        s = te.create_schedule(total)
        factored = s.rfactor(total, s[total].split(k, 4)[1], factor_axis=place)
        assert tuple(int(one.value) for one in factored.shape) == shape
        out = np.zeros(3, "float32")
        run(s, [a, total], np.ones((3, 5), "float32"), out)
        assert out.tolist() == [5, 5, 5]
    with pytest.raises(ValueError, match="2 dimensions, so factor_axis cannot be 2"):
        te.create_schedule(total).rfactor(total, k, 2)


@pytest.mark.parametrize("gathers", [False, True])
def test_regions_that_are_not_plain(gathers: bool) -> None:
    a, at = te.placeholder((8,), name="A"), te.placeholder((8,), "int32", name="I")
    b = te.compute((8,), lambda j: a[j] + 1, name="B")
    c = te.compute((8,), lambda j: b[at[j] if gathers else tir.max(j - 1, 0)] * 2, name="C")
    s = te.create_schedule(c)
    s[b].compute_at(s[c], s[c].split(c.op.axis[0], 2)[0])
    x, index, out = np.arange(8, dtype="float32"), np.array([7, 1, 0, 3] * 2, "int32"), np.zeros(8)
    out = out.astype("float32")
    run(s, [a, at, c], x, index, out)
    read = index if gathers else np.maximum(np.arange(8) - 1, 0)
    assert out.tolist() == ((x[read] + 1) * 2).tolist()


def test_loops_of_both_kinds() -> None:
    a = te.placeholder((4, 40_000), name="A")
    b = te.compute((4, 40_000), lambda i, j: a[i, j] + 1, name="B")
    c = te.compute((4, 40_000), lambda i, j: b[i, j] * 2, name="C")
    s = te.create_schedule(c)
    i, j = c.op.axis
    s[b].compute_at(s[c], i)
    s[c].vectorize(i)
    s[c].parallel(j)
    x, out = np.ones((4, 40_000), "float32"), np.zeros((4, 40_000), "float32")
    run(s, [a, c], x, out)
    assert (out == 4).all()


def test_a_refused_fuse_changes_nothing() -> None:
    s, (_, _, c), k = matmul()
    with pytest.raises(ValueError, match="one of j and k of stage C belongs to the reduction"):
        s[c].fuse(*c.op.axis, k)
    assert [axis.var.name for axis in s[c].leaf_iter_vars] == ["i", "j", "k"]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("threshold", [1, 5])
def test_vectors_chosen_by_one_condition(dtype: str, threshold: int) -> None:
    """A condition that is the same for all lanes, of values or of constants."""
    a, at = te.placeholder((24,), dtype, name="A"), te.placeholder((1,), dtype, name="T")
    of_constants = tir.LE(tir.const(4, dtype), tir.const(3, dtype))
    b, c = te.compute(
        (24,),
        lambda i: (
            tir.Select(at[0] < tir.const(3, dtype), a[i], tir.const(7, dtype)),
            tir.Select(of_constants, a[i], a[i] * 2),
        ),
        name="B",
    )
    s = te.create_schedule(b.op)
    s[b].vectorize(s[b].split(b.op.axis[0], factor=8)[1])
    x, given = np.arange(24).astype(dtype), np.array([threshold], dtype)
    chosen, doubled = np.zeros(24, dtype), np.zeros(24, dtype)
    run(s, [a, at, b, c], x, given, chosen, doubled)
    assert chosen.tolist() == (x if threshold < 3 else np.full(24, 7, dtype)).tolist()
    assert doubled.tolist() == (x * 2).tolist()
