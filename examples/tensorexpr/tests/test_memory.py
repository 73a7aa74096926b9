# SPDX-License-Identifier: Apache-2.0
"""Indices that are tested before memory is read, and buffers that share memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorexpr as tx
from tensorexpr import te, tir

from tain import transform

N = 10
A = te.placeholder((N,), name="A")
AT = te.placeholder((4,), "int32", name="I")


def indices(*values: int) -> Any:
    return np.array(values, "int32")


def guarded(i: Any) -> Any:
    return tir.if_then_else(tir.all(AT[i] >= 0, AT[i] < N), A[tir.max(AT[i], 0)], -1.0)


def bound(i: Any) -> Any:
    v = tir.Var("v")
    return tir.Let(v, AT[i], A[v] + tir.exp(A[v]))


@pytest.mark.parametrize("value", [N, -1, 2**31 - 1, -(2**31)])
@pytest.mark.parametrize(
    "element", [lambda i: A[AT[i]], bound, lambda i: A[AT[i].astype("uint64")]]
)
def test_an_index_out_of_range(element: Any, value: int) -> None:
    b = te.compute((4,), element, name="B")
    f = tx.build(te.create_prim_func([A, AT, b]))
    x, out = np.arange(N, dtype="float32"), np.zeros(4, "float32")
    f(x, indices(0, 9, 5, 1), out)
    assert out[1] in (9, 9 + np.exp(np.float32(9)))
    with pytest.raises(
        IndexError, match=r"A: the index .* of dimension 0 is not in range\(0, 10\)"
    ):
        f(x, indices(0, 9, value, 1), out)


def test_an_index_behind_a_condition_is_tested_where_it_is_computed() -> None:
    b = te.compute((4,), guarded, name="B")
    f = tx.build(te.create_prim_func([A, AT, b]))
    out = np.zeros(4, "float32")
    f(np.arange(N, dtype="float32"), indices(3, 100, -5, 9), out)
    assert out.tolist() == [3, -1, -1, 9]
    by_or = te.compute((4,), lambda i: tir.any(AT[i] >= N, AT[i] < 0, A[AT[i]] > 4), name="B")
    flags = np.zeros(4, "bool")
    tx.build(te.create_prim_func([A, AT, by_or]))(
        np.arange(N, dtype="float32"), indices(3, 100, -5, 9), flags
    )
    assert flags.tolist() == [False, True, True, True]


def test_what_a_statement_writes_and_asks_is_tested() -> None:
    buffer = tir.decl_buffer((4,), "int32", "B")
    i, at, param = tir.Var("i"), tir.decl_buffer((4,), "int32", "I"), tir.Var("b", "handle")
    store = tir.BufferStore(buffer, i, [at[i]])
    asked = tir.IfThenElse(at[at[i]] > 0, tir.BufferStore(buffer, i, [i]))
    for body in (store, asked):
        other = tir.Var("i_", "handle")
        loop = tir.For(i, 0, 4, tir.ForKind.SERIAL, body)
        f = tx.build(tir.PrimFunc([param, other], {param: buffer, other: at}, loop))
        f(np.zeros(4, "int32"), indices(3, 0, 1, 2))
        with pytest.raises(IndexError, match="of dimension 0 is not in range"):
            f(np.zeros(4, "int32"), indices(3, 0, 4, 2))


@pytest.mark.parametrize(
    "make",
    [
        lambda n: te.compute((n,), lambda i: A[i % N], name="B"),
        lambda n: te.compute(
            (N + 2,),
            lambda i: tir.if_then_else(tir.all(i >= 1, i < N + 1), A[i - 1], 0.0),
            name="B",
        ),
        lambda n: te.compute(
            (N,), lambda i: A[tir.max(i - 1, 0)] + A[tir.min(i + 1, N - 1)], name="B"
        ),
        lambda n: te.compute((n, n), lambda i, j: A[(i + j) % N], name="B"),
    ],
)
def test_what_is_known_to_be_in_range_is_not_tested(make: Any) -> None:
    b = make(te.var("n"))
    s = te.create_schedule(b)
    s[b].split(b.op.axis[0], 4)  # with a rest
    for program in (tx.lower(te.create_prim_func([A, b])), tx.lower(s, [A, b])):
        assert "assert" not in program.script()


def test_without_tests() -> None:
    b = te.compute((4,), lambda i: A[AT[i]], name="B")
    with transform.PassContext(config={"tensorexpr.check_bounds": False}):
        assert "assert" not in tx.lower(te.create_prim_func([A, AT, b])).script()


def chain(length: int, size: Any) -> tuple[Any, Any]:
    first = last = te.placeholder((size,), name="X")
    for k in range(length):
        last = te.compute((size,), lambda i, last=last, k=k: last[i] * 2 + k, name=f"S{k}")
    return first, last


def test_stages_that_follow_one_another_share_memory() -> None:
    x, y = chain(9, 64)
    program = tx.lower(te.create_prim_func([x, y])).script()
    assert program.count("T.allocate(") == 2
    assert program.count("T.decl_buffer(") == 6
    given, out = np.arange(64, dtype="float32"), np.zeros(64, "float32")
    tx.build(te.create_prim_func([x, y]))(given, out)
    expected = given
    for k in range(9):
        expected = expected * 2 + k
    np.testing.assert_array_equal(out, expected)


def test_a_larger_buffer_gives_its_memory() -> None:
    x = te.placeholder((8,), name="X")
    small = te.compute((8,), lambda i: x[i] + 1, name="small")
    middle = te.compute((8,), lambda i: small[i] * 2, name="middle")
    large = te.compute((8, 8), lambda i, j: middle[i] + middle[j], name="large")
    total = te.compute((8,), lambda i: large[i, 7 - i], name="total")
    program = tx.lower(te.create_prim_func([x, total])).script()
    assert program.count("T.allocate(") == 2
    assert 'small = T.decl_buffer((8,), "float32", data=large.data)' in program
    out = np.zeros(8, "float32")
    given = np.arange(8, dtype="float32")
    tx.build(te.create_prim_func([x, total]))(given, out)
    middle_values = (given + 1) * 2
    np.testing.assert_array_equal(out, middle_values + middle_values[::-1])


@pytest.mark.parametrize("case", ["types", "extents", "used later"])
def test_what_shares_no_memory(case: str) -> None:
    n = te.var("n") if case == "extents" else 64
    x = te.placeholder((n,), name="X")
    a = te.compute((n,), lambda i: x[i] + 1, name="a")
    kind = "float64" if case == "types" else "float32"
    b = te.compute((n,), lambda i: (a[i] * 2).astype(kind), name="b")
    c = te.compute((n,), lambda i: (b[i] + 3).astype("float32"), name="c")
    late = a if case == "used later" else c
    d = te.compute((n,), lambda i: c[i] + late[i], name="d")
    program = te.create_prim_func([x, d])
    script = tx.lower(program).script()
    assert script.count("T.allocate(") == (2 if case == "types" else 3)
    given, out = np.arange(64, dtype="float32"), np.zeros(64, "float32")
    tx.build(program)(given, out)
    first = given + 1
    third = first * 2 + 3
    np.testing.assert_array_equal(out, third + (first if case == "used later" else third))
