# SPDX-License-Identifier: Apache-2.0
"""What programs of users of te and tir write: names, operators and habits of that language."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorexpr as tx
from tensorexpr import te, tir

from tain import transform

A = te.placeholder((4,), name="A")
I = te.placeholder((4,), "int32", name="I")  # noqa: E741
X = np.array([0.25, 1.0, 0.5, 0.75], "float32")
N = np.array([5, -7, 2**30, -1], "int32")


def run(out: Any, *given: tuple[Any, Any], schedule: Any = None) -> Any:
    tensors = [tensor for tensor, _ in given]
    if schedule is None:
        f = tx.build(te.create_prim_func([*tensors, out]))
    else:
        f = tx.build(schedule, [*tensors, out])
    result = np.zeros([int(one) for one in out.shape], str(out.dtype))
    f(*(array for _, array in given), result)
    return result


MATH = [
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "asinh",
    "exp2",
    "log2",
    "log10",
    "log1p",
    "trunc",
]


@pytest.mark.parametrize("name", MATH)
def test_functions_of_floats(name: str) -> None:
    renamed = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh"}
    expected = getattr(np, renamed.get(name, name))(X)
    made = run(te.compute((4,), lambda i: getattr(tir, name)(A[i])), (A, X))
    np.testing.assert_allclose(made, expected, rtol=1e-5)


@pytest.mark.parametrize("name", ["atan2", "fmod", "hypot", "copysign"])
def test_functions_of_two_floats(name: str) -> None:
    expected = {"atan2": np.arctan2}.get(name) or getattr(np, name)
    made = run(te.compute((4,), lambda i: getattr(tir, name)(A[i] - 0.6, A[3 - i])), (A, X))
    np.testing.assert_allclose(made, expected(X - np.float32(0.6), X[::-1]), rtol=1e-5)


def test_what_is_no_number() -> None:
    odd = np.array([np.nan, np.inf, -np.inf, 1], "float32")
    for name in ("isnan", "isinf", "isfinite"):
        made = run(te.compute((4,), lambda i, name=name: getattr(te, name)(A[i])), (A, odd))
        assert made.tolist() == getattr(np, name)(odd).tolist()


@pytest.mark.parametrize(
    "expr",
    [
        lambda x: x & 6,
        lambda x: x | 6,
        lambda x: x ^ 6,
        lambda x: ~x,
        lambda x: x << 3,
        lambda x: x >> 2,
        lambda x: 1 << (x & 7),
        lambda x: (x & x) | 1,
    ],
)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32", "int64", "uint64"])
def test_bits(expr: Any, dtype: str) -> None:
    values = N.astype(dtype)
    x = te.placeholder((4,), dtype, name="x")
    made = run(te.compute((4,), lambda i: expr(x[i])), (x, values))
    expected = expr(values)
    assert made.tolist() == expected.astype(made.dtype).tolist()


def test_shifts_by_more_bits_than_there_are() -> None:
    by = te.placeholder((4,), "int32", name="by")
    many = np.array([31, 32, 100, -1], "int32")
    left = run(te.compute((4,), lambda i: I[i] << by[i]), (I, N), (by, many))
    assert left.tolist() == [-(2**31), 0, 0, 0]
    right = run(te.compute((4,), lambda i: I[i] >> by[i]), (I, N), (by, many))
    assert right.tolist() == [0, -1, 0, -1]
    for wrong in (lambda: A[0] & 1, lambda: A[0] << 1, lambda: (A[0] > 0) ^ 1.5):
        with pytest.raises(TypeError):
            wrong()


def test_division_by_other_names() -> None:
    for name, expected in (
        ("floordiv", N // 3),
        ("floormod", N % 3),
        ("indexdiv", N // 3),
        ("indexmod", N % 3),
        ("ceildiv", -(-N // 3)),
    ):
        made = run(te.compute((4,), lambda i, name=name: getattr(te, name)(I[i], 3)), (I, N))
        assert made.tolist() == expected.tolist()


def test_reducers_combine_their_arguments_without_an_axis() -> None:
    made = run(te.compute((4,), lambda i: te.max(A[i], 0.4) + te.min(A[i], 0.6)), (A, X))
    np.testing.assert_array_equal(
        made, np.maximum(X, np.float32(0.4)) + np.minimum(X, np.float32(0.6))
    )
    assert str(te.sum(A[0], A[1], A[2])) == "A[0] + A[1] + A[2]"


def test_tensors_are_called_and_compared() -> None:
    b = te.compute((4,), lambda *i: A(*i) + 1, name="B")
    np.testing.assert_array_equal(run(b, (A, X)), X + 1)
    again = b.op.output(0)
    assert again == b and hash(again) == hash(b) and b in [A, again] and {again: 1}[b] == 1
    assert b != A
    assert A != None  # noqa: E711
    scalar = te.compute((), lambda: tir.const(1.0), name="s")
    assert isinstance(scalar == 1.0, tir.EQ)


def test_texts_and_numbers_of_constants() -> None:
    n = te.var("n")
    tensor = te.placeholder((3, n), name="Q")
    assert repr(tensor) == "Tensor(shape=(3, n), dtype=float32, op.name=Q)"
    assert repr(tensor[0, n] + 1) == "Q[0, n] + T.float32(1)"
    assert int(tensor.shape[0]) == 3 and range(tensor.shape[0]) == range(3)
    assert float(tir.const(0.5)) == 0.5
    assert bool(tensor.shape[0] == 3)  # constants are known
    assert not bool(tensor.shape[0] < 3)
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(tensor.shape[1] == 3)


def test_ranges() -> None:
    for one in (tir.Range(2, 10), tir.Range.from_min_extent(2, 8)):
        assert (int(one.min), int(one.extent)) == (2, 8)
    assert (int(tir.Range(5).min), int(tir.Range(5).extent)) == (0, 5)
    for wrong in (None, [], A):
        with pytest.raises(TypeError, match=r"argument end|is no expression"):
            tir.Range(wrong)
    k = te.reduce_axis((1, 3), name="k")
    assert run(te.compute((1,), lambda i: te.sum(A[k], axis=k)), (A, X)).tolist() == [1.5]


def test_extents_that_are_whole_floats() -> None:
    assert [int(one) for one in te.compute((16 / 4, 2), lambda i, j: A[i]).shape] == [4, 2]
    with pytest.raises(ValueError, match=r"whole number, got 2\.5"):
        te.placeholder((2.5,))


@pytest.mark.parametrize("vectorized", [False, True])
def test_select_around_an_element_that_is_not_there(vectorized: bool) -> None:
    b = te.compute((8,), lambda i: tir.Select(i < 4, A[i], tir.const(-1.0)), name="B")
    s = te.create_schedule(b)
    if vectorized:
        s[b].vectorize(b.op.axis[0])
    assert run(b, (A, X), schedule=s).tolist() == [*X.tolist(), -1, -1, -1, -1]


@pytest.mark.parametrize("how", ["block", "schedule"])
def test_a_reduction_over_as_many_as_the_data_say(how: str) -> None:
    begins, columns = np.array([0, 2, 2, 5], "int32"), np.array([0, 2, 1, 0, 2], "int32")
    values, vector = np.arange(1, 6, dtype="float32"), np.array([1, 2, 3], "float32")
    p, j = te.placeholder((4,), "int32", name="P"), te.placeholder((5,), "int32", name="J")
    v, x = te.placeholder((5,), name="V"), te.placeholder((3,), name="X")

    def row(r: Any) -> Any:
        k = te.reduce_axis((0, p[r + 1] - p[r]), name="k")
        return te.sum(v[p[r] + k] * x[j[p[r] + k]], axis=k)

    y = te.compute((3,), row, name="Y")
    s = te.create_schedule(y) if how == "schedule" else None
    made = run(y, (p, begins), (j, columns), (v, values), (x, vector), schedule=s)
    assert made.tolist() == [7, 0, 25]


def test_an_argument_that_is_computed_in_the_loops_of_another() -> None:
    b = te.compute((4,), lambda i: A[i] * 2, name="B")
    c = te.compute((4,), lambda i: b[i] + 1, name="C")
    s = te.create_schedule(c)
    s[b].compute_at(s[c], c.op.axis[0])
    between, last = np.zeros(4, "float32"), np.zeros(4, "float32")
    tx.build(s, [A, b, c])(X, between, last)
    np.testing.assert_array_equal(between, X * 2)
    np.testing.assert_array_equal(last, X * 2 + 1)
    inlined = te.create_schedule(c)
    inlined[b].compute_inline()
    with pytest.raises(ValueError, match="the argument B is inlined, so nothing writes it"):
        tx.lower(inlined, [A, b, c])


def test_vectors_are_left_out_on_demand() -> None:
    b = te.compute((16,), lambda i: A[i % 4], name="B")
    s = te.create_schedule(b)
    s[b].vectorize(s[b].split(b.op.axis[0], 4)[1])
    assert "T.Ramp" in tx.lower(s, [A, b]).script()
    with transform.PassContext(config={"tir.disable_vectorize": True}):
        script = tx.lower(s, [A, b]).script()
    assert "T.Ramp" not in script and "vectorized" not in script


def test_walks_of_the_older_package() -> None:
    b = te.compute((4,), lambda i: A[i] * 2 + 1, name="B")
    body = tx.lower(te.create_prim_func([A, b]))["main"].body
    kinds: list[str] = []
    tir.stmt_functor.post_order_visit(body, lambda node: kinds.append(type(node).__name__))
    assert kinds.index("BufferLoad") < kinds.index("Mul") < kinds.index("Add") < kinds.index("For")
    seen: list[str] = []
    tir.stmt_functor.pre_order_visit(
        body, lambda node: seen.append(type(node).__name__) or not isinstance(node, tir.Add)
    )
    assert "Add" in seen and "Mul" not in seen

    def doubled(node: Any) -> Any:
        return tir.FloatImm("float32", node.value * 2)

    changed = tir.stmt_functor.ir_transform(body, None, doubled, ["tir.FloatImm"])
    assert "* T.float32(4) + T.float32(2)" in str(changed)
    kept = tir.stmt_functor.ir_transform(body, lambda node: node, doubled, ["tir.Add"])
    assert kept.same_as(body)
    x, y = tir.Var("x"), tir.Var("y")
    assert str(tir.stmt_functor.substitute(x + y * x, {x: y + 1})) == "y + 1 + y * (y + 1)"
