# SPDX-License-Identifier: Apache-2.0
"""A constant folder of a user, as the notes on the API write one: a mutator, run as a pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorexpr as tx
from tensorexpr import te, tir

import tain
from tain import transform

X, I = tir.Var("x", "float32"), tir.Var("i")  # noqa: E741
Constant = (tir.IntImm, tir.FloatImm)


def try_eval_const_add(lhs: Any, rhs: Any) -> Any:
    """Return the constant of a sum, or None: no folder knows all types."""
    value = lhs.value + rhs.value
    if isinstance(lhs, tir.FloatImm):
        return tir.FloatImm(lhs.dtype, value)
    bits = 2**31
    return tir.IntImm(lhs.dtype, value) if lhs.dtype == "int32" and -bits <= value < bits else None


class ConstantFolder(transform.Mutator):
    def visit_Add(self, op: Any) -> Any:
        lhs = self.visit(op.a)
        rhs = self.visit(op.b)
        if isinstance(lhs, Constant) and isinstance(rhs, Constant):
            result = try_eval_const_add(lhs, rhs)
            if result is not None:
                return result
        if lhs.same_as(op.a) and rhs.same_as(op.b):
            return op
        return tir.Add(lhs, rhs)

    def fold(self, expr: Any) -> Any:
        return self.visit(expr)


@transform.register_pass
@transform.create_pass(opt_level=2, name="relay._transform.FoldConstant")
def fold_constant(graph: Any) -> Any:
    return ConstantFolder().fold(graph)


def number(value: float) -> Any:
    return tir.FloatImm("float32", value)


def integer(value: int) -> Any:
    return tir.IntImm("int32", value)


def left_alone() -> Any:
    return tir.Add(tir.Mul(X, number(2)), number(3))


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (tir.Add(number(1), number(2)), "T.float32(3)"),
        (tir.Add(tir.Add(integer(1), integer(2)), tir.Add(integer(3), I)), "3 + (3 + i)"),
        (tir.Add(tir.Add(integer(1), integer(2)), integer(3)), "6"),
        (tir.Mul(tir.Add(number(1), number(2)), X), "T.float32(3) * x"),
        (tir.exp(tir.Add(number(0.5), number(0.25))), "T.exp(T.float32(0.75))"),
        (tir.Add(integer(2**31 - 1), integer(1)), "2147483647 + 1"),
    ],
)
def test_what_is_folded(expr: Any, text: str) -> None:
    assert str(ConstantFolder().fold(expr)) == text


def test_what_has_nothing_to_fold_stays_the_same_object() -> None:
    expr = left_alone()
    assert ConstantFolder().fold(expr).same_as(expr)
    both = tir.Mul(expr, tir.Add(number(1), number(2)))
    folded = ConstantFolder().fold(both)
    assert folded.a.same_as(expr) and str(both.b) == "T.float32(1) + T.float32(2)"


def test_shared_parts_are_folded_once() -> None:
    part = tir.Add(X, tir.Add(number(1), number(2)))
    folded = ConstantFolder().fold(tir.Mul(part, part))
    assert folded.a.same_as(folded.b)
    assert str(folded) == "(x + T.float32(3)) * (x + T.float32(3))"


def test_the_level_of_the_context_decides() -> None:
    name = "relay._transform.FoldConstant"
    assert name in transform.list_passes()
    expr = tir.Add(X, tir.Add(number(1), number(2)))
    sequence = transform.Sequential([transform.get_pass(name)])
    for level, text in ((1, "x + (T.float32(1) + T.float32(2))"), (2, "x + T.float32(3)")):
        with transform.PassContext(opt_level=level):
            assert str(sequence(expr)) == text
    with transform.PassContext(opt_level=3, disabled_pass=[name]):
        assert sequence(expr).same_as(expr)
    with transform.PassContext(opt_level=0, required_pass=[name]):
        assert str(sequence(expr)) == "x + T.float32(3)"


def test_it_runs_between_the_passes_of_the_package() -> None:
    a = te.placeholder((4,), name="A")
    b = te.compute((4,), lambda i: tir.Add(a[i], tir.Add(number(1), number(2))), name="B")
    module = tx.IRModule.from_expr(te.create_prim_func([a, b]))
    lower = transform.get_pass("tensorexpr.LowerBlocks")
    timing = transform.PassTiming()
    with transform.PassContext(opt_level=3, instruments=[timing]):
        made = transform.Sequential([lower, fold_constant])(module)
    assert "B[i] = A[i] + T.float32(3)" in made.script()
    assert "T.float32(1) + T.float32(2)" in module.script()
    assert {"tensorexpr.LowerBlocks", "relay._transform.FoldConstant"} <= set(timing.seconds)
    x, y = np.arange(4, dtype="float32"), np.zeros(4, "float32")
    tx.build(made)(x, y)
    np.testing.assert_array_equal(y, x + 3)


def test_an_error_in_it_names_the_pass() -> None:
    expr = tir.Add(tir.Add(tir.Var("h", "float32"), number(1)), number(2))

    class Broken(ConstantFolder):
        def visit_FloatImm(self, op: Any) -> Any:
            return tir.IntImm("int32", 1)

    broken = transform.create_pass(Broken().fold, opt_level=0, name="example.Broken")
    with pytest.raises(TypeError, match="Add: expected operands of one type") as raised:
        transform.Sequential([broken])(expr)
    assert "in pass example.Broken" in "\n".join(getattr(raised.value, "__notes__", []))


def test_deep_sums() -> None:
    """A method that visits parts uses the stack of Python; `tain.rewrite` folds any depth."""
    expr: Any = X
    for _ in range(100):
        expr = tir.Add(expr, tir.Add(number(1), number(2)))
    assert str(ConstantFolder().fold(expr)).count("T.float32(3)") == 100
    for _ in range(20_000):
        expr = tir.Add(expr, tir.Add(number(1), number(2)))
    with pytest.raises(RecursionError):
        ConstantFolder().fold(expr)

    def fold_one(node: Any) -> Any:
        is_sum = isinstance(node, tir.Add)
        if is_sum and isinstance(node.a, Constant) and isinstance(node.b, Constant):
            return try_eval_const_add(node.a, node.b)
        return None

    found: list[Any] = []
    folded = tain.rewrite(expr, fold_one)
    tain.visit(folded, lambda n: found.append(n.value) if isinstance(n, tir.FloatImm) else None)
    assert found == [3.0] * 20_100
