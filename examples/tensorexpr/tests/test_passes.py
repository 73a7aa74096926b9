# SPDX-License-Identifier: Apache-2.0
"""Passes by themselves, in a context, and beside passes of users."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorexpr as tx
from tensorexpr import te, tir

import tain
from tain import transform

I = tir.Var("i")  # noqa: E741
J = tir.Var("j")


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        ((I + 3) - I, "3"),
        ((I % 16 * 8 + 3) % 4, "3"),
        ((I * 8 + 3) % 4, "(i * 8 + 3) % 4"),  # i * 8 may wrap around
        (I // 4 * 4 + I % 4, "i"),
        (tir.min(tir.const(3, "int32"), 5), "3"),
        ((I % 8) // 8, "0"),
        ((I % 8) < 8, "T.bool(True)"),
        (I - I + J, "j"),
        ((I + 1) < I, "i + 1 < i"),  # not false: i + 1 wraps around
        (tir.Select(tir.const(1, "bool"), I, J), "i"),
        (~(I < J), "j <= i"),
    ],
)
def test_simplify(expr: Any, text: str) -> None:
    assert str(tir.simplify(expr)) == text


def a_pass(name: str) -> Any:
    return transform.get_pass(f"tensorexpr.{name}")


def test_loops_and_statements_that_do_nothing() -> None:
    buffer = tir.decl_buffer((8,), "int32", "B")
    store = tir.BufferStore(buffer, I, [I])
    once = tir.For(I, 3, 1, tir.ForKind.SERIAL, store)
    assert str(a_pass("Simplify")(once)) == "B[3] = 3"
    never = tir.For(I, 0, 0, tir.ForKind.SERIAL, store)
    guarded = tir.IfThenElse(I % 4 < 4, tir.SeqStmt([never, once, tir.Evaluate(0)]))
    assert str(a_pass("Simplify")(guarded)) == "B[3] = 3"
    unrolled = tir.For(I, 0, 3, tir.ForKind.UNROLLED, store)
    assert str(a_pass("Unroll")(unrolled)) == "B[0] = 0\nB[1] = 1\nB[2] = 2"
    with transform.PassContext(config={"tensorexpr.unroll_max_steps": 2}):
        assert "T.unroll(3)" in str(a_pass("Unroll")(unrolled))
    vector = tir.For(I, 0, 8, tir.ForKind.VECTORIZED, store)
    assert str(a_pass("Vectorize")(vector)) == "B[T.Ramp(0, 1, 8)] = T.Ramp(0, 1, 8)"


def test_lets_and_common_subexpressions() -> None:
    x = tir.Var("x", "float32")
    buffer = tir.decl_buffer((8,), "float32", "B")
    let = tir.LetStmt(J, I, tir.BufferStore(buffer, x, [J]))
    assert str(a_pass("InlineLets")(let)) == "B[i] = x"
    loads = tir.LetStmt(x, buffer[0], tir.BufferStore(buffer, x + x, [0]))
    assert a_pass("InlineLets")(loads).same_as(loads)
    twice = tir.exp(x) + 1
    shared = a_pass("ShareSubexpressions")(tir.BufferStore(buffer, twice * twice, [I]))
    assert str(shared) == "B[i] = T.Let(cse * cse, where={cse: T.exp(x) + T.float32(1)})"
    guarded = tir.if_then_else(I > 0, twice, tir.exp(x) * 2)
    stays = tir.BufferStore(buffer, guarded, [I])
    assert a_pass("ShareSubexpressions")(stays).same_as(stays)


def test_a_pass_of_a_user_runs_beside_those_of_the_package() -> None:
    @transform.create_pass(opt_level=0)
    def double(graph: Any) -> Any:
        def change(node: Any) -> Any:
            return (
                tir.FloatImm("float32", 2 * node.value) if isinstance(node, tir.FloatImm) else None
            )

        return tain.rewrite(graph, change)

    a = te.placeholder((4,), name="A")
    b = te.compute((4,), lambda i: a[i] + 1.5, name="B")
    program = transform.Sequential([double, a_pass("LowerBlocks")])(te.create_prim_func([a, b]))
    x, y = np.zeros(4, "float32"), np.zeros(4, "float32")
    tx.build(program)(x, y)
    assert y.tolist() == [3.0] * 4


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_every_level_gives_the_same_numbers(level: int) -> None:
    a = te.placeholder((33,), name="A")
    b = te.compute((33,), lambda i: tir.exp(a[i]) * tir.exp(a[i]) + tir.exp(a[i]), name="B")
    s = te.create_schedule(b)
    s[b].vectorize(s[b].split(b.op.axis[0], 8)[1])
    with transform.PassContext(opt_level=level):
        f = tx.build(s, [a, b])
    x, y = np.linspace(-1, 1, 33, dtype="float32"), np.zeros(33, "float32")
    f(x, y)
    np.testing.assert_allclose(y, np.exp(x) * np.exp(x) + np.exp(x), rtol=1e-5)


@pytest.mark.parametrize(
    "name", ["expf", "NAN", "int32_t", "args", "te_div_int32", "for", "INFINITY"]
)
def test_names_of_c_are_names_of_programs(name: str) -> None:
    a = te.placeholder((3,), name=name)
    b = te.compute((3,), lambda i: tir.floor(tir.exp(a[i])) % 3, name=name)
    x, y = np.arange(3, dtype="float32"), np.zeros(3, "float32")
    tx.build(te.create_prim_func([a, b]))(x, y)
    assert y.tolist() == (np.floor(np.exp(x)) % 3).tolist()


def test_variables_without_a_value() -> None:
    n, k = te.var("n"), te.reduce_axis((0, 2), name="k")
    a = te.placeholder((n * 2,), name="A")
    for b in (te.compute((3,), lambda i: a[2 * i]), te.compute((2,), lambda i: a[i + k])):
        with pytest.raises(ValueError, match=r"the variable [nk] has no value: it is no argument"):
            tx.build(te.create_prim_func([a, b]))


def test_an_extent_that_depends_on_an_axis() -> None:
    a = te.placeholder((3, 3), name="A")

    def row(i: Any) -> Any:
        j = te.reduce_axis((0, i + 1), name="j")
        return te.sum(a[i, j], axis=j)

    b = te.compute((3,), row)
    x, y = np.arange(9, dtype="float32").reshape(3, 3), np.zeros(3, "float32")
    tx.build(te.create_prim_func([a, b]))(x, y)
    assert y.tolist() == [np.sum(x[i, : i + 1]) for i in range(3)]


def test_shared_parts_are_written_once() -> None:
    a = te.placeholder((4,), "int32", name="A")

    def nested(i: Any) -> Any:
        e = a[i]
        for _ in range(40):
            e = tir.max(tir.abs(e - 1), e)
        return e

    f = tx.build(te.create_prim_func([a, te.compute((4,), nested)]))
    assert len(f.get_source()) < 40_000
    x, y = np.arange(4, dtype="int32"), np.zeros(4, "int32")
    f(x, y)
    expected = x
    for _ in range(40):
        expected = np.maximum(np.abs(expected - 1), expected)
    assert y.tolist() == expected.tolist()


def test_arguments_that_nothing_reads() -> None:
    a, b = te.placeholder((3,), name="A"), te.compute((3,), lambda i: i.astype("float32"), name="B")
    y = np.zeros(3, "float32")
    tx.build(te.create_schedule(b), [a, b])(np.zeros(3, "float32"), y)
    assert y.tolist() == [0, 1, 2]
    other = te.compute((3,), lambda i: a[i], name="O")
    with pytest.raises(ValueError, match="argument O is not computed by the schedule"):
        tx.lower(te.create_schedule(b), [a, b, other])


def test_elements_of_different_buffers_differ() -> None:
    a, b = (te.placeholder((4,), "int32", name=name) for name in "AB")
    c = te.compute((4,), lambda i: a[i] - b[i] + (a[i] + b[i]) * 2, name="C")
    x, y, z = np.arange(4, dtype="int32"), np.full(4, 10, "int32"), np.zeros(4, "int32")
    program = te.create_prim_func([a, b, c])
    assert "T.reads(A[v_i], B[v_i])" in program.script()
    tx.build(program)(x, y, z)
    assert z.tolist() == (x - y + (x + y) * 2).tolist()


@pytest.mark.parametrize(
    ("expr", "value", "expected"),
    [
        (lambda k: (k // 100_000) // 30_000, ("int32", 5), 0),
        (lambda k: (k - 5) // 8, ("int32", 2**31 - 1), 268435455),
        (lambda k: (k - 636) // 16, ("int64", -(2**63) + 1), 576460752303423448),
        (lambda k: (k * 8) // 4, ("int64", 2**60), -(2**61)),
        (lambda k: (k + 1 > k).astype("int64"), ("int64", 2**63 - 1), 0),
    ],
)
def test_integers_wrap_around(expr: Any, value: tuple[str, int], expected: int) -> None:
    dtype, number = value
    k = tir.Var("k", dtype)
    result = te.compute((1,), lambda _: expr(k), name="R")
    out = np.zeros(1, str(result.dtype))
    tx.build(te.create_prim_func([k, result]))(number, out)
    assert out[0] == expected


def test_sums_that_may_wrap_around_are_not_compared() -> None:
    top = np.array([2**31 - 1], dtype="int32")
    a = te.placeholder((1,), "int32", name="A")
    least = te.compute((1,), lambda i: tir.Min(a[i] + 1, a[i]), name="B")
    out = np.zeros(1, dtype="int32")
    tx.build(te.create_schedule(least.op), [a, least])(top, out)
    assert out.tolist() == [-(2**31)]
    x = tir.Var("x")
    assert str(tir.simplify(tir.Min(x + 1, x))) == "T.min(x + 1, x)"
    assert str(tir.simplify(tir.Min(x % 8 + 1, x % 8))) == "x % 8"


def test_a_sum_is_simplified_as_a_whole() -> None:
    v = [tir.Var(f"v{k}") for k in range(100)]
    total = v[0]
    for k in range(1, 3000):
        total = total + v[k % 8] * (k % 7 + 2) - k % 5
    factors = [sum(k % 7 + 2 for k in range(1, 3000) if k % 8 == j) for j in range(8)]
    factors[0] += 1
    constant = sum(k % 5 for k in range(1, 3000))
    text = " + ".join(f"v{j} * {factor}" for j, factor in enumerate(factors))
    assert sorted(str(tir.simplify(total)).rsplit(" - ", 1)[0].split(" + ")) == sorted(
        text.split(" + ")
    )
    assert str(tir.simplify(total)).endswith(f" - {constant}")
    every = v[0]
    for one in v[1:]:
        every = every + one
    assert sorted(str(tir.simplify(every)).split(" + ")) == sorted(f"v{k}" for k in range(100))
    assert str(tir.simplify(every - every)) == "0"
    assert str(tir.simplify(v[0] * 2**20 * 2**20 + v[1])) == "v1"  # 2**40 is 0 in int32
