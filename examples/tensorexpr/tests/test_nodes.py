# SPDX-License-Identifier: Apache-2.0
"""Expressions and programs as values: their checks, operators, copies and texts."""

from __future__ import annotations

import contextlib
import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
import tensorexpr as tx
from tensorexpr import te, tir

import tain

I = tir.Var("i")  # noqa: E741
X = tir.Var("x", "float32")


def matmul(n: int = 137) -> tuple[Any, Any, Any]:
    a, b = te.placeholder((n, n), name="X"), te.placeholder((n, n), name="Y")
    k = te.reduce_axis((0, n), name="k")
    return a, b, te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k))


def programs() -> dict[str, Any]:
    """Return programs, expressions and tensors that have every node."""
    a = te.placeholder((10,), name="A")
    called = te.extern((10,), [a], lambda i, o: tir.call_packed("f", i[0], o[0]), name="C")
    n = te.var("n")
    b = te.placeholder((n, 4), "int32", name="B")
    argmax = te.comm_reducer(
        lambda p, q: (tir.Select(p[1] >= q[1], p[0], q[0]), tir.max(p[1], q[1])),
        lambda t0, t1: (tir.const(-1, t0), tir.min_value(t1)),
    )
    r = te.reduce_axis((0, 4), name="r")
    pair = te.compute((n,), lambda i: argmax((r.var, b[i, r]), axis=r, where=b[i, r] > 0))
    buffer = tir.decl_buffer((8,), "int32", "S")
    v = tir.Var("v", "int32")
    body = tir.For(
        v,
        0,
        8,
        tir.ForKind.PARALLEL,
        tir.IfThenElse(
            tir.all(v > 2, tir.any(v < 7, ~(v == 3))),
            tir.LetStmt(
                I,
                tir.if_then_else(v % 2 == 0, v // 2, tir.truncmod(v, 3)),
                tir.BufferStore(buffer, tir.Let(v, I + 1, v * 2), [v]),
            ),
            tir.Evaluate(tir.call_extern("int32", "abs", v)),
        ),
    )
    asserted = tir.AssertStmt(X > 0.5, "x is small", tir.Allocate(buffer, body))
    odd = tir.Select(tir.all(v <= 7, v != 3), tir.Div(v - 1, 2), tir.Cast("int32", X))
    attributed = tir.AttrStmt(None, "note", 1, tir.SeqStmt([asserted, tir.Evaluate(0)]))
    return {
        "reduction": te.create_prim_func(matmul()),
        "extern": te.create_prim_func([a, called]),
        "several results": te.create_prim_func([b, *pair]),
        "statements": tir.PrimFunc([X], {}, attributed),
        "lowered": tx.lower(te.create_prim_func(matmul())),
        "module": tx.lower(te.create_prim_func([b, *pair])),
        "expression": odd,
        "tensors": pair[1],
        "tensor of a statement": called,
        "vectors": tir.Evaluate(tir.Ramp(I, 2, 4) + tir.Broadcast(I, 4) * tir.min(I, 3)),
    }


COPIES: dict[str, Callable[[Any], Any]] = {
    "json": lambda one: tain.load_json(tain.save_json(one)),
    "binary": lambda one: tain.load_binary(tain.save_binary(one)),
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "deepcopy": copy.deepcopy,
}


def keys_of(graph: Any) -> list[str]:
    """Return the keys of the types of all nodes of this package."""
    keys: list[str] = []
    tain.visit(graph, lambda node: keys.append(tain.type_info(type(node)).key))
    return [key for key in keys if key.startswith("tensorexpr.")]


def test_no_node_is_left_out() -> None:
    infos = [tain.type_info(key) for key in tain.type_keys() if key.startswith("tensorexpr.")]
    nodes = {info.key for info in infos if getattr(info, "constructor", None) is not None}
    assert len(nodes) > 50
    assert nodes - {key for program in programs().values() for key in keys_of(program)} == set()


@pytest.mark.parametrize("name", programs())
def test_every_node_survives(name: str) -> None:
    program = programs()[name]
    expected = tain.structural_hash(program, map_free_vars=True)
    for way, make in COPIES.items():
        made = make(program)
        tain.assert_structural_equal(made, program, map_free_vars=True)
        assert tain.structural_hash(made, map_free_vars=True) == expected, way
        assert str(made) == str(program), way
        assert str(tain.diff(made, program)) == "no differences", way
        assert keys_of(made) == keys_of(program), way


@pytest.mark.parametrize("name", programs())
def test_every_node_is_walked_and_rewritten(name: str) -> None:
    program = programs()[name]
    below: list[Any] = []
    tain.visit(program, below.append, order="post")
    assert below[-1].same_as(program)
    assert tain.rewrite(program, lambda node: None).same_as(program)
    (number, *_) = [node for node in below if isinstance(node, tir.IntImm) and node.value > 1]
    other = tir.IntImm(number.dtype, number.value + 1)
    made = tain.rewrite(program, lambda node: other if node.same_as(number) else None)
    assert keys_of(made) == keys_of(program)
    assert not tain.structural_equal(made, program, map_free_vars=True)
    changes = tain.diff(program, made).changes
    assert {(one.left, one.right) for one in changes} == {(number.value, number.value + 1)}
    assert {one.path.get(made) for one in changes} == {number.value + 1}


@pytest.mark.parametrize(
    "name", [key for key, one in programs().items() if not isinstance(one, te.Tensor)]
)
def test_every_node_is_simplified(name: str) -> None:
    program = programs()[name]
    is_expr = isinstance(program, tir.PrimExpr)
    simplify = tir.simplify if is_expr else tain.transform.get_pass("tensorexpr.Simplify")
    made, again = simplify(program), simplify(COPIES["json"](program))
    assert len(keys_of(made)) <= len(keys_of(program))
    tain.assert_structural_equal(again, made, map_free_vars=True)
    assert str(again) == str(made)


def test_programs_print_as_the_documents_do() -> None:
    reduction, called = programs()["reduction"].script(), programs()["extern"].script()
    assert reduction.splitlines()[2:] == [
        "@T.prim_func",
        'def main(X: T.Buffer((137, 137), "float32"), Y: T.Buffer((137, 137), "float32"), '
        'compute: T.Buffer((137, 137), "float32")):',
        '    T.func_attr({"tir.noalias": T.bool(True)})',
        '    # with T.block("root"):',
        "    for i, j, k in T.grid(137, 137, 137):",
        '        with T.block("compute"):',
        '            v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])',
        "            T.reads(X[v_i, v_k], Y[v_k, v_j])",
        "            T.writes(compute[v_i, v_j])",
        "            with T.init():",
        "                compute[v_i, v_j] = T.float32(0)",
        "            compute[v_i, v_j] = compute[v_i, v_j] + X[v_i, v_k] * Y[v_k, v_j]",
    ]
    assert called.splitlines()[3:9] == [
        "def main(var_A: T.handle, var_C: T.handle):",
        '    T.func_attr({"tir.noalias": T.bool(True)})',
        "    A = T.match_buffer(var_A, (10,), offset_factor=1)",
        "    C = T.match_buffer(var_C, (10,), offset_factor=1)",
        '    with T.block("C"):',
        "        T.reads()",
    ]


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: I + 1, "i + 1"),
        (lambda: 1 - (I - 2), "1 - (i - 2)"),
        (lambda: I * 2.5, 'T.Cast("float32", i) * T.float32(2.5)'),
        (lambda: X + I, 'x + T.Cast("float32", i)'),
        (lambda: I + 0, "i"),
        (lambda: tir.const(6, "int32") * 7, "42"),
        (lambda: tir.const(2**31 - 1, "int32") + 1, "-2147483648"),
        (lambda: tir.const(200, "uint8") + tir.const(100, "uint8"), "T.uint8(44)"),
        (lambda: (I < 3) & (I > 1), "i < 3 and i > 1"),
        (lambda: ~(I == 3), "not i == 3"),
        (lambda: -X, "x * T.float32(-1)"),
        (lambda: X**2, "T.pow(x, T.float32(2))"),
        (lambda: 2**X, "T.pow(T.float32(2), x)"),
        (lambda: tir.const(2**53 + 1, "int64"), "T.int64(9007199254740993)"),
        (lambda: X * 1e39, 'x * T.float32("inf")'),
        (tir.all, "T.bool(True)"),
        (lambda: I.astype("int64"), 'T.Cast("int64", i)'),
        (lambda: tir.Select(I > 0, I, 0), "T.Select(i > 0, i, 0)"),
    ],
)
def test_operators(make: Any, text: str) -> None:
    assert str(make()) == text


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (
            lambda: tir.Add(I, X),
            TypeError,
            "Add: expected operands of one type, got int32 and float",
        ),
        (lambda: bool(I < 3), TypeError, "neither true nor false"),
        (lambda: I / 2, TypeError, "write // for the floor"),
        (lambda: X & X, TypeError, "And: expected a bool expression, got float32"),
        (lambda: tir.exp(I), TypeError, "exp: expected a float, got int32"),
        (lambda: I + "a", TypeError, "no common type"),
        (lambda: tir.IntImm("int8", 200), OverflowError, "200 is no value of int8"),
        (lambda: te.placeholder((3,))[1, 2], IndexError, "1 dimensions, got 2 indices"),
        (lambda: te.placeholder((3,)) + 1, TypeError, "it is no expression; index it"),
        (lambda: te.compute((3,), lambda i, j: i), ValueError, "1 dimensions, but"),
        (lambda: tir.Ramp(I, 1, 0), TypeError, "1 to 65535 lanes"),
        (
            lambda: tir.Var("u", "uint8") < 300,
            OverflowError,
            "300 is no value of uint8, the type of",
        ),
        (lambda: tir.Var("s", "int8") + 200, OverflowError, "200 is no value of int8"),
        (lambda: tir.truncdiv(X, 2), TypeError, "truncdiv: expected integers, got float32"),
        (lambda: tir.const(2**31, "int32"), OverflowError, "2147483648 is no value of int32"),
        (
            lambda: te.placeholder((4,), name="A")[-1],
            IndexError,
            "index -1 of dimension 0 of A is out",
        ),
        (
            lambda: te.placeholder((4,), name="A")[4],
            IndexError,
            "index 4 of dimension 0 of A is out",
        ),
        (lambda: tir.Select(I, 1, 0), TypeError, "Select: expected a bool expression"),
    ],
)
def test_what_is_refused(make: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        make()


def test_dicts_of_lambdas() -> None:
    functions = tain.convert({"add": lambda a, b: a + b})
    a, b = tir.Var("a", "float32"), tir.Var("b", "float32")
    tain.assert_structural_equal(functions["add"](a, b), tir.Add(a, b))
    assert tain.testing.object_use_count(a) >= 1
    assert [v.name for v in tain.free_vars(a + b)] == ["a", "b"]


def test_deep_expressions() -> None:
    """What is too deep for the C stack is an error; comparing and saving need no stack."""
    deep: Any = X
    for _ in range(100_000):
        deep = tir.Add(deep, X)
    assert tain.structural_equal(deep, tain.load_binary(tain.save_binary(deep)), map_free_vars=True)
    assert tir.simplify(deep).dtype == "float32"
    with contextlib.suppress(RecursionError):
        assert str(deep).startswith("x + x")
