# SPDX-License-Identifier: Apache-2.0
"""Programs that no one would write: an error that says what is wrong, never a crash or a wrong
number."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorexpr as tx
from tensorexpr import te, tir

import tain
from tain import transform

I, V, X = tir.Var("i"), tir.Var("v"), tir.Var("x")  # noqa: E741
F = tir.Var("f", "float32")
P = tir.Var("p", "handle")
SERIAL = tir.ForKind.SERIAL
A = tir.decl_buffer((4,), "float32", "A")


def zeros(dtype: str = "float32", n: int = 4) -> Any:
    return np.zeros(n, dtype)


def program(body: Any, *params: Any, buffer: Any = A) -> Any:
    return tx.build(tir.PrimFunc([*params, P], {P: buffer}, body))


def filled(buffer: Any) -> Any:
    return tir.For(I, 0, 4, SERIAL, tir.BufferStore(buffer, 1.0, [I]))


def chain(node: Any, length: int, step: Callable[[Any], Any]) -> Any:
    for _ in range(length):
        node = step(node)
    return node


def matrix_sum(axis: int = 2) -> tuple[Any, Any, Any]:
    a = te.placeholder((64, 64), name="A")
    k = te.reduce_axis((0, 64), name="k")
    return a, k, te.compute((64,), lambda i: te.sum(a[i, k], axis=[k] * axis), name="C")


def two_reductions() -> Any:
    a, k = te.placeholder((2, 4), name="A"), te.reduce_axis((0, 4))
    return te.compute((2,), lambda i: (te.sum(a[i, k], k), te.max(a[i, k], k)), name="both")


def split(factor: Any) -> Any:
    a = te.placeholder((100,), name="A")
    c = te.compute((100,), lambda i: a[i] + 1, name="C")
    s = te.create_schedule(c)
    s[c].split(c.op.axis[0], factor=factor)
    return tx.lower(s, [a, c])


def fused() -> Any:
    a = te.placeholder((1,), "int64", name="A")
    axes = [te.reduce_axis((0, 65536)) for _ in "ab"]
    c = te.compute((1,), lambda i: te.sum(a[i], axis=axes), name="C")
    s = te.create_schedule(c)
    s[c].fuse(*axes)
    return tx.lower(s, [a, c])


def after(action: str) -> Any:
    _, k, c = matrix_sum(1)
    s = te.create_schedule(c)
    s[c].parallel(c.op.axis[0])
    return s.cache_write(c, "local") if action == "cache_write" else s.rfactor(c, k)


def lost_index() -> Any:
    a = te.placeholder((4, 8), name="A")
    b = te.compute((4, 8), lambda i, j: a[i, j] + 1, name="B")
    d = te.compute((4,), lambda i: b[X, X].__replace__(indices=[X, X, X]), name="D")
    s = te.create_schedule(d)
    s[b].compute_at(s[d], d.op.axis[0])
    return tx.lower(s, [a, X, d])


def named(name: str) -> Any:
    a = te.placeholder((4,), name="A")
    c = te.compute((4,), lambda i: a[i], name="C")
    return tx.build(te.create_schedule(c), [a, c], name=name)


def strided() -> Any:
    local = tir.decl_buffer((4,), "float32", "L", strides=[1000000])
    return program(tir.Allocate(local, filled(local)))


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "loop": (
        lambda: program(tir.For(I, 0, 10**8, SERIAL, filled(A))),
        ValueError,
        "variable i is bound again",
    ),
    "let": (
        lambda: te.compute((1,), lambda q: tir.Let(V, q, tir.Let(V, q + 1, V) + V)),
        ValueError,
        "variable v is bound again",
    ),
    "captured": (
        lambda: program(
            tir.LetStmt(V, X, tir.For(X, 0, 4, SERIAL, tir.BufferStore(A, 1.0, [V]))), X
        ),
        ValueError,
        "variable x is bound again",
    ),
    "parameter": (lambda: program(filled(A), X, X), ValueError, "variable x is bound again"),
    "after its loop": (
        lambda: program(tir.SeqStmt([filled(A), tir.BufferStore(A, 2.0, [I])])),
        ValueError,
        "variable i has no value",
    ),
    "no memory": (
        lambda: program(filled(tir.decl_buffer((4,), "float32", "Z"))),
        ValueError,
        "buffer Z has no memory",
    ),
    "strides": (strided, ValueError, "the buffer L has strides"),
    "offset": (
        lambda: program(filled(b := tir.decl_buffer((4,), name="B", elem_offset=2)), buffer=b),
        ValueError,
        "offset of the argument B",
    ),
    "no arguments": (
        lambda: te.compute((1,), lambda q: tir.Call("int32", "bitwise_and", [])),
        ValueError,
        "bitwise_and takes 2 arguments, got 0",
    ),
    "no argument": (
        lambda: te.compute((1,), lambda q: tir.Call("float32", "rsqrt", [])),
        ValueError,
        "rsqrt takes 1 argument, got 0",
    ),
    "deep": (
        lambda: program(chain(tir.Evaluate(0), 100000, lambda s: tir.SeqStmt([s]))),
        RecursionError,
        "nested|recursion|stack",
    ),
    "text": (lambda: str(chain(F, 60, lambda e: tir.Add(e, e))), ValueError, "would be longer"),
    "factor": (
        lambda: split(2**32 + 8),
        OverflowError,
        "factor of i of stage C is no value of int32",
    ),
    "fuse": (fused, OverflowError, "too large for int32"),
    "twice": (matrix_sum, ValueError, "the axis k is given twice"),
    "reductions": (two_reductions, ValueError, "both: the results are of different reductions"),
    "cache_write": (
        lambda: after("cache_write"),
        ValueError,
        "scheduled already, which would be lost",
    ),
    "rfactor": (lambda: after("rfactor"), ValueError, "scheduled already, which would be lost"),
    "indices": (lost_index, IndexError, "B has 2 dimensions, got 3 indices"),
    "extent": (
        lambda: te.compute((-1,), lambda i: i, name="C"),
        ValueError,
        "the extent -1 is negative",
    ),
    "range": (lambda: te.reduce_axis((5, 2)), ValueError, "the extent -3 is negative"),
    "name": (lambda: named("a b"), ValueError, '"a b" is no name of a compiled function'),
    "name of tain": (lambda: named("_source"), ValueError, "is no name of a compiled function"),
    "vector": (
        lambda: tx.build(tir.PrimFunc([tir.Var("w", "float32x4")], {}, tir.Evaluate(0))),
        ValueError,
        "no code is made for the parameter w of type float32x4",
    ),
    "Div": (
        lambda: tir.Div(tir.const(1, "bool"), tir.Var("b", "bool")),
        TypeError,
        "Div: expected numbers, got bool",
    ),
    "For of a float": (
        lambda: tir.For(I, 0, F * 2, SERIAL, tir.Evaluate(0)),
        TypeError,
        "For: the variable i is int32, but the value is float32",
    ),
    "LetStmt of another type": (
        lambda: tir.LetStmt(X, tir.Var("w", "int64"), tir.Evaluate(0)),
        TypeError,
        "LetStmt: the variable x is int32, but the value is int64",
    ),
    "axis": (
        lambda: te.sum(A[0], axis=0),
        TypeError,
        "sum: expected axes from te.reduce_axis, got 0",
    ),
    "where": (
        lambda: te.sum(matrix_sum(1)[0][0, k := te.reduce_axis((0, 4))], axis=k, where=5),
        TypeError,
        "expected a bool condition",
    ),
    "Add": (lambda: tir.Add(X, 2**31), OverflowError, "Add: 2147483648 is no value of int32"),
    "Add of uint8": (lambda: tir.Add(tir.Var("u", "uint8"), 300), OverflowError, "300"),
    "Add of a float": (lambda: tir.Add(X, 2.5), TypeError, "int32 and float32"),
    "For": (lambda: tir.For(I, 0, 2**40, SERIAL, tir.Evaluate(0)), OverflowError, "For"),
    "BufferStore": (
        lambda: tir.BufferStore(tir.decl_buffer((4,), "uint8"), 300, [0]),
        OverflowError,
        "BufferStore: 300",
    ),
    "LetStmt": (
        lambda: tir.LetStmt(tir.Var("u", "uint8"), 300, tir.Evaluate(0)),
        OverflowError,
        "LetStmt: 300",
    ),
    "CommReducer": (
        lambda: tir.CommReducer([X], [I], [X + I], [2**40]),
        OverflowError,
        "CommReducer",
    ),
    "const": (lambda: tir.const(2.0**63, "int64"), OverflowError, "is no value of int64"),
    "const of a part": (lambda: tir.const(1.5, "int32"), OverflowError, "1.5 is no value of int32"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    action, error, message = REFUSED[name]

    def act() -> None:
        made = action()
        if isinstance(made, te.Tensor):
            tx.build(te.create_prim_func([made]))

    with pytest.raises(error, match=message):
        act()


def test_a_factor_that_is_larger_than_the_extent() -> None:
    a, c = te.placeholder((100,), name="A"), None
    c = te.compute((100,), lambda i: a[i] + 1, name="C")
    for how in ({"factor": 1000}, {"nparts": 1000}):
        s = te.create_schedule(c)
        s[c].split(c.op.axis[0], **how)
        out = zeros(n=100)
        tx.build(s, [a, c])(zeros(n=100), out)
        assert out.tolist() == [1] * 100


def test_a_factor_that_is_known_when_the_program_runs() -> None:
    q = te.var("q")
    a = te.placeholder((4,), name="A")
    c = te.compute((4,), lambda i: a[i] + 1, name="C")
    s = te.create_schedule(c)
    s[c].split(c.op.axis[0], q)
    f, out = tx.build(s, [q, a, c]), zeros()
    f(3, zeros(), out)
    assert out.tolist() == [1] * 4
    for wrong in (0, -1):
        with pytest.raises(
            ValueError, match="split: expected a positive factor of the axis i of stage C"
        ):
            f(wrong, zeros(), out)


def test_memory_is_never_too_much_for_the_stack() -> None:
    first = last = te.placeholder((2000,), name="A")
    for k in range(40):
        last = te.compute((2000,), lambda i, t=last: t[1999 - i] + t[i], name=f"T{k}")
    with tain.transform.PassContext(opt_level=0):
        f = tx.build(te.create_prim_func([first, last]))
    out = zeros(n=2000)
    before = threading.stack_size(128 * 1024)
    try:
        thread = threading.Thread(target=lambda: f(np.ones(2000, "float32"), out))
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert out[0] == 2.0**40


def test_memory_that_no_machine_has() -> None:
    large = tir.decl_buffer((2**33, 2**31), "float32", "L")
    one = tir.const(0, "int64")
    f = program(tir.Allocate(large, tir.BufferStore(large, 1.0, [one, one])))
    with pytest.raises(MemoryError):
        f(zeros())


def test_unrolling_what_is_endless() -> None:
    stores = tir.SeqStmt([tir.BufferStore(A, 1.0, [I % 4])] * 4)
    wide = tir.Var("w", "int64")
    loop = tir.For(wide, 0, 2**62, tir.ForKind.UNROLLED, tir.For(I, 0, 1, SERIAL, stores))
    assert "T.unroll(" in tx.lower(tir.PrimFunc([P], {P: A}, loop)).script()
    empty = tir.AssertStmt(X > I, "m", tir.SeqStmt([]))
    loop = tir.For(I, 0, 10**9, tir.ForKind.UNROLLED, empty)
    assert "T.unroll(" in tx.lower(tir.PrimFunc([X], {}, loop)).script()


@pytest.mark.parametrize(
    "condition",
    [
        lambda: chain(X > 0, 100000, lambda c: tir.And(c, X < 7)),
        lambda: chain(X > 0, 30, lambda c: tir.And(c, tir.And(c, X > 1))),
        lambda: chain(X, 24, lambda e: tir.Max(tir.Min(e, X + 1), tir.Min(e, X))) > 2,
    ],
)
def test_large_conditions_end(condition: Any) -> None:
    body = tir.IfThenElse(condition(), tir.BufferStore(A, 1.0, [X]))
    with contextlib.suppress(RecursionError):  # what is too deep is said to be
        assert tx.lower(tir.PrimFunc([X, P], {P: A}, body)) is not None


def test_large_indices_end() -> None:
    a = te.placeholder((4,), "int32", name="A")
    shared = chain(X, 40, lambda e: tir.Mul(e, e))
    clamped = chain(X, 24, lambda e: tir.Max(tir.Min(e, X + 1), tir.Min(e, X)))
    for index in (shared, clamped):
        c = te.compute((4,), lambda i, index=index: a[index], name="C")
        assert tx.lower(te.create_prim_func([a, X, c])) is not None


def test_arrays_that_run_backwards_share_memory() -> None:
    stride, other = te.var("st"), tir.Var("q", "handle")
    a = tir.decl_buffer((8,), "float32", "A", strides=[stride])
    b = tir.decl_buffer((4,), "float32", "B")
    body = tir.For(I, 0, 4, SERIAL, tir.BufferStore(b, a[7 - I], [I]))
    f = tx.build(tir.PrimFunc([P, other], {P: a, other: b}, body).with_attr("tir.noalias", True))
    values = np.arange(8, dtype="float32")
    f(values[::-1], out := zeros())
    assert out.tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="shares memory"):
        f(values[::-1], values[:4])


def test_a_read_only_array_is_no_result() -> None:
    a = te.placeholder((4,), name="A")
    c = te.compute((4,), lambda i: a[i] + 1, name="C")
    f, given, out = tx.build(te.create_schedule(c), [a, c]), zeros(), zeros()
    given.flags.writeable = False
    f(given, out)
    assert out.tolist() == [1] * 4
    out.flags.writeable = False
    with pytest.raises(ValueError, match="main: argument C is read-only"):
        f(given, out)
    with pytest.raises(ValueError, match="main: argument C is read-only"):
        f(given, tain.from_dlpack(out))


def test_a_read_only_array_stays_so_when_it_is_handed_on() -> None:
    @tain.register_global_func("hostile.write", override=True)
    def write(x, y) -> None:
        y.numpy()[:] = x.numpy() + 1
        x.numpy()[0] = 7

    a = te.placeholder((4,), name="A")
    c = te.extern(
        (4,), [a], lambda i, o: tir.call_packed("hostile.write", i[0], o[0]), dtype="float32"
    )
    f, given, out = tx.build(te.create_schedule(c.op), [a, c]), zeros(), zeros()
    f(given, out)
    assert (given.tolist(), out.tolist()) == ([7, 0, 0, 0], [1] * 4)
    given.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        f(given, out)
    assert (given.tolist(), out.tolist()) == ([7, 0, 0, 0], [8, 1, 1, 1])


def test_numbers_that_do_not_fit_when_the_program_runs() -> None:
    wide = te.var("wide", "uint64")
    c = te.compute((1,), lambda i: wide, name="C")
    with pytest.raises(OverflowError, match="-1 is no value of uint64"):
        tx.build(te.create_schedule(c), [wide, c])(-1, zeros("uint64", 1))
    tain.register_global_func("hostile.big", lambda: 2**40, override=True)
    ints = tir.decl_buffer((4,), "int32", "N")
    body = tir.LetStmt(V, tir.call_packed("hostile.big"), tir.BufferStore(ints, V, [0]))
    with pytest.raises(OverflowError, match=r"hostile\.big returned 1099511627776"):
        program(body, buffer=ints)(zeros("int32"))


def test_what_memory_said_before_a_store() -> None:
    b = tir.decl_buffer((4,), "int32", "B")
    other, ints = tir.Var("q", "handle"), tir.decl_buffer((4,), "int32", "C")
    again = tir.IfThenElse(b[0] < 5, tir.BufferStore(b, 1, [1]))
    body = tir.IfThenElse(b[0] < 5, tir.SeqStmt([tir.BufferStore(b, 7, [0]), again]))
    out = zeros("int32")
    program(body, buffer=b)(out)
    assert out.tolist() == [7, 0, 0, 0]
    store = tir.SeqStmt([tir.BufferStore(b, 1000, [0]), tir.BufferStore(ints, 1, [b[0]])])
    for body in (
        tir.IfThenElse(tir.all(b[0] >= 0, b[0] < 4), store),
        tir.AssertStmt(tir.all(b[0] >= 0, b[0] < 4), "in range", store),
    ):
        f = tx.build(tir.PrimFunc([P, other], {P: b, other: ints}, body))
        with pytest.raises(IndexError, match="C: the index"):
            f(zeros("int32"), zeros("int32"))
    counted = tir.IfThenElse(b[0] > I, tir.BufferStore(ints, 1, [I % 4]))
    loop = tir.For(I, 0, b[0], SERIAL, tir.SeqStmt([tir.BufferStore(b, 0, [0]), counted]))
    f = tx.build(tir.PrimFunc([P, other], {P: b, other: ints}, loop))
    f(np.array([3, 0, 0, 0], "int32"), out := zeros("int32"))
    assert out.tolist() == [0] * 4


def test_extents_that_are_too_large_when_the_program_runs() -> None:
    n, m = te.var("n"), te.var("m")
    x = te.placeholder((1,), "int64", name="X")
    axes = [te.reduce_axis((0, one), name="k") for one in (n, m)]
    c = te.compute((1,), lambda i: te.sum(x[i], axis=axes), name="C")
    s = te.create_schedule(c)
    s[c].fuse(*axes)
    f, one, out = tx.build(s, [n, m, x, c]), np.ones(1, "int64"), zeros("int64", 1)
    for extents, expected in (((3, 5), 15), ((0, 7), 0), ((7, 0), 0)):
        f(*extents, one, out)
        assert out.tolist() == [expected]
    with pytest.raises(ValueError, match="k_k_fused is too large for int32 of stage C"):
        f(65536, 65536, one, out)
    q, a = te.var("q"), te.placeholder((4,), name="A")
    c = te.compute((4,), lambda i: a[i] + 1, name="C")
    s = te.create_schedule(c)
    s[c].split(c.op.axis[0], nparts=q)
    out = zeros()
    tx.build(s, [q, a, c])(2**31 - 1, zeros(), out)
    assert out.tolist() == [1] * 4


def test_a_block_behind_an_assertion_is_lowered() -> None:
    a = te.placeholder((4,), name="A")
    c = te.compute((4,), lambda i: a[i] + 1, name="C")
    made = te.create_prim_func([a, c])
    body = tir.AssertStmt(tir.const(1, "bool"), "holds", made.body)
    f = tx.build(tir.PrimFunc(made.params, made.buffer_map, body))
    f(zeros(), out := zeros())
    assert out.tolist() == [1] * 4


def test_repr_names_what_has_no_text() -> None:
    shared = chain(F, 60, lambda e: tir.Add(e, e))
    assert repr(shared).startswith("<tensorexpr.tir.Add, no text: the text of the expression would")
    deep = chain(F, 300_000, tir.exp)
    assert repr(deep).startswith("<tensorexpr.tir.Call, no text: ")
    with pytest.raises(RecursionError):
        str(deep)


def threaded(size: int, call: Any) -> Any:
    """Return what a function returns in a thread with so much stack, or the exception."""
    got: list[Any] = []

    def run() -> None:
        try:
            got.append(call())
        except RecursionError as error:
            got.append(error)

    before = threading.stack_size(size)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    return got[0]


@pytest.mark.parametrize("size", [2**15, 2**16, 2**17])
def test_little_stack(size: int) -> None:
    e = X
    for k in range(198):
        e = tir.Min(e % I, X) if k % 2 else tir.FloorMod(tir.Max(e, 1) + I, X)
    assert isinstance(threaded(size, lambda: tir.simplify(e)), (tir.PrimExpr, RecursionError))


@pytest.mark.parametrize(
    "step",
    [
        lambda e: tir.Add(e, F),
        tir.exp,
        lambda e: tir.if_then_else(F > 0, e, F),
    ],
)
def test_subexpressions_of_deep_chains(step: Any) -> None:
    share = transform.get_pass("tensorexpr.ShareSubexpressions")
    buffer = tir.decl_buffer((4,), "float32", "B")
    made = share(tir.BufferStore(buffer, chain(F, 1_000, step), [0]))
    assert isinstance(made, tir.BufferStore)
    with pytest.raises((RecursionError, ValueError)):
        share(tir.BufferStore(buffer, chain(F, 100_000, step), [0]))


def test_what_loads_share_is_computed_once() -> None:
    """Each element is at a place that was loaded itself, twice."""
    a = te.placeholder((4,), "int32", name="A")

    def value(i: Any) -> Any:
        e = a[i]
        for _ in range(40):
            e = a[e % 4] + a[e % 4] * 2
        return e

    b = te.compute((4,), value, name="B")
    given, out = np.array([1, 2, 3, -1], dtype="int32"), np.zeros(4, dtype="int32")
    tx.build(te.create_schedule(b.op), [a, b])(given, out)
    expected = given.copy()
    for _ in range(40):
        expected = given[expected % 4] * 3
    assert out.tolist() == expected.tolist()
