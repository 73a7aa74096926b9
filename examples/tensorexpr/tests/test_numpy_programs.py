# SPDX-License-Identifier: Apache-2.0
"""Broadcasting, views, indices, selections and explicit loops do what numpy does."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np
import pytest
from numpy_programs import INTS, Library, Make, Table, elementwise
from tensorexpr import te, tir

TABLE = Table()
add, normal, integers = TABLE.add, TABLE.normal, TABLE.integers


# ---------------------------------------------------------------- shapes

BROADCASTS: dict[str, list[tuple[int, ...]]] = {
    "equal shapes": [(3, 4), (3, 4)],
    "a row": [(3, 4), (4,)],
    "a column": [(3, 4), (3, 1)],
    "a column and a row": [(3, 1), (1, 4)],
    "a scalar": [(3, 4), ()],
    "a scalar first": [(), (5,)],
    "two scalars": [(), ()],
    "three ranks": [(2, 3, 4), (3, 1), (4,)],
    "the middle": [(2, 1, 4), (1, 3, 1)],
    "five dimensions": [(2, 1, 2, 1, 3), (3, 1, 2, 1)],
    "no rows": [(0, 4), (4,)],
    "no columns": [(3, 0), (3, 1)],
}


def add_broadcasts() -> None:
    for name, shapes in BROADCASTS.items():
        arrays = [normal(*shape) for shape in shapes]
        total = sum(arrays[1:], arrays[0])
        make = elementwise(lambda *a: sum(a[1:], a[0]))
        add(f"broadcast {name}", arrays, make, np.asarray(total))
    a, b = normal(4, 3), normal(3)
    for n in (4, 1, 0):  # the same program for each extent
        add(
            f"symbolic (n, m) * (m,), n = {n}",
            [a[:n], b],
            elementwise(operator.mul),
            a[:n] * b,
            shapes="n m, m",
        )


def pick(shape: Any, f: Make) -> Make:
    """Return the program of one tensor whose element at an index is the element at `f` of it."""
    return lambda a: te.compute(shape, lambda *i: a[f(*i)], name="result")


def add_views() -> None:
    a, v = normal(2, 3, 4), normal(10)
    for order in itertools.permutations(range(3)):
        back = [order.index(k) for k in range(3)]
        make = pick([a.shape[k] for k in order], lambda *i, back=back: tuple(i[k] for k in back))
        add(f"transpose {order}", [a], make, a.transpose(order))
    add("v[::2]", [v], pick((5,), lambda i: 2 * i), v[::2])
    add("v[1::3]", [v], pick((3,), lambda i: 3 * i + 1), v[1::3])
    add("v[::-1]", [v], pick((10,), lambda i: 9 - i), v[::-1])
    add("v[8:1:-3]", [v], pick((3,), lambda i: 8 - 3 * i), v[8:1:-3])
    add("a[1, ::2, 1:3]", [a], pick((2, 2), lambda i, j: (1, 2 * i, j + 1)), a[1, ::2, 1:3])
    add("a[:, :, ::-1][:, 1]", [a], pick((2, 4), lambda i, j: (i, 1, 3 - j)), a[:, :, ::-1][:, 1])
    add(
        "reshape (2, 3, 4) to (6, 4)",
        [a],
        pick((6, 4), lambda i, j: (i // 3, i % 3, j)),
        a.reshape(6, 4),
    )
    add("ravel", [a], pick((24,), lambda i: (i // 12, i // 4 % 3, i % 4)), a.ravel())
    add("reshape 10 to (2, 5)", [v], pick((2, 5), lambda i, j: i * 5 + j), v.reshape(2, 5))
    add("repeat", [v], pick((30,), lambda i: i // 3), v.repeat(3))
    add("tile", [v], pick((30,), lambda i: i % 10), np.tile(v, 3))
    add("roll", [v], pick((10,), lambda i: (i - 3) % 10), np.roll(v, 3))
    square = normal(5, 5)
    add("diagonal", [square], pick((5,), lambda i: (i, i)), square.diagonal())
    add("antidiagonal", [square], pick((5,), lambda i: (i, 4 - i)), square[:, ::-1].diagonal())
    add("last column, no rows", [square[:0]], pick((0,), lambda i: (i, 4)), square[:0, 4])

    def symbolic(f: Make) -> Make:
        return lambda t: te.compute((t.shape[0],), lambda i: t[f(i, t.shape[0])], name="result")

    add("symbolic reverse", [v], symbolic(lambda i, n: n - 1 - i), v[::-1], shapes="n")
    add("symbolic roll", [v], symbolic(lambda i, n: (i + 4) % n), np.roll(v, -4), shapes="n")
    add("symbolic reverse of nothing", [v[:0]], symbolic(lambda i, n: n - 1 - i), v[:0], shapes="n")
    add(
        "symbolic repeat",
        [v],
        lambda t: te.compute((t.shape[0] * 2,), lambda i: t[i // 2], name="result"),
        v.repeat(2),
        shapes="n",
    )
    add(
        "symbolic transpose",
        [square[:3]],
        lambda t: te.compute((t.shape[1], t.shape[0]), lambda i, j: t[j, i]),
        square[:3].T,
        shapes="n m",
    )


def add_indices() -> None:
    def index(*shape: int) -> list[np.ndarray]:
        return list(np.indices(shape, "int32"))

    (n,), (i, j) = index(50), index(7, 9)
    one: dict[str, Make] = {
        "i": lambda i: i,
        "i // 7 * 7 + i % 7": lambda i: i // 7 * 7 + i % 7,
        "(i - 25) // 7": lambda i: (i - 25) // 7,
        "(i - 25) % 7": lambda i: (i - 25) % 7,
        "(25 - i) // 4": lambda i: (25 - i) // 4,
        "i % 8 % 4": lambda i: i % 8 % 4,
        "(i * 6 + 3) // 4": lambda i: (i * 6 + 3) // 4,
        "(i * 6 + 3) % 9": lambda i: (i * 6 + 3) % 9,
        "i // 3 // 4": lambda i: i // 3 // 4,
        "i * 2 < 49": lambda i: i * 2 < 49,
        "i >= 0": lambda i: i >= 0,
        "i // -3": lambda i: i // -3,
    }
    two: dict[str, Make] = {
        "i * 9 + j": lambda i, j: i * 9 + j,
        "(i * 9 + j) // 9": lambda i, j: (i * 9 + j) // 9,
        "(i * 9 + j) % 9": lambda i, j: (i * 9 + j) % 9,
        "(i * 9 + j) // 4 % 5": lambda i, j: (i * 9 + j) // 4 % 5,
        "(i * 8 + j) % 8": lambda i, j: (i * 8 + j) % 8,
        "(j * 4 - i) // 4": lambda i, j: (j * 4 - i) // 4,
        "i <= j": lambda i, j: i <= j,
        "i * j // (j + 1)": lambda i, j: i * j // (j + 1),
    }
    for name, f in one.items():
        add(f"index {name}", [], lambda f=f: te.compute((50,), lambda i: f(i)), f(n))
    for name, f in two.items():
        add(f"index {name}", [], lambda f=f: te.compute((7, 9), lambda i, j: f(i, j)), f(i, j))
    eye = np.eye(7, 9, dtype="float32")
    add("eye", [], lambda: te.compute((7, 9), lambda i, j: tir.Select(i.equal(j), 1.0, 0.0)), eye)


def add_selections() -> None:
    table, rows = normal(6, 5), integers(4, 3, low=0, high=6)
    for dtype in INTS:
        add(
            f"gather rows by {dtype}",
            [table, rows.astype(dtype)],
            lambda t, r: te.compute((4, 3, 5), lambda i, j, k: t[r[i, j], k]),
            table[rows],
        )
    columns = integers(6, 2, low=0, high=5, dtype="int64")
    add(
        "take_along_axis",
        [table, columns],
        lambda t, c: te.compute((6, 2), lambda i, j: t[i, c[i, j]]),
        np.take_along_axis(table, columns, 1),
    )
    add(
        "gather elements",
        [table, rows],
        lambda t, r: te.compute((4,), lambda i: t[r[i, 0], r[i, 1] % 5]),
        table[rows[:, 0], rows[:, 1] % 5],
    )
    add(
        "one-hot",
        [rows],
        lambda r: te.compute((4, 3, 6), lambda i, j, k: r[i, j].equal(k).astype("float32")),
        np.eye(6, dtype="float32")[rows],
    )
    a, b = normal(3, 4), normal(2, 4)
    add(
        "concatenate",
        [a, b],
        lambda x, y: te.compute((5, 4), lambda i, j: tir.if_then_else(i < 3, x[i, j], y[i - 3, j])),
        np.concatenate([a, b]),
    )
    add(
        "pad",
        [a],
        lambda x: te.compute(
            (6, 8),
            lambda i, j: tir.if_then_else(
                tir.all(i >= 1, i < 4, j >= 2, j < 6), x[i - 1, j - 2], 0.0
            ),
        ),
        np.pad(a, ((1, 2), (2, 2))),
    )
    add(
        "tril",
        [a],
        lambda x: te.compute((3, 4), lambda i, j: tir.Select(j <= i, x[i, j], 0)),
        np.tril(a),
    )
    mask = np.array([True, False, True, False])
    add(
        "where by a mask",
        [a, mask],
        lambda x, c: te.compute((3, 4), lambda i, j: tir.Select(c[j], x[i, j], -1.0)),
        np.where(mask, a, np.float32(-1)),
    )


# ---------------------------------------------------------------- explicit loops


def loop(name: str, extent: Any, body: Make, start: int = 0) -> Any:
    var = tir.Var(name, "int32")
    return tir.For(var, start, extent, tir.ForKind.SERIAL, body(var))


def scan(combine: Make) -> Make:
    """Return the program of a scan along the last of two dimensions, by loops of its own."""

    def statement(ins: Any, outs: Any) -> Any:
        (a,), (out,) = ins, outs

        def row(i: Any) -> Any:
            def step(j: Any) -> Any:
                first = tir.BufferStore(out, a[i, j], [i, j])
                later = tir.BufferStore(out, combine(out[i, j - 1], a[i, j]), [i, j])
                return tir.IfThenElse(j.equal(0), first, later)

            return loop("j", a.shape[1], step)

        return loop("i", a.shape[0], row)

    return lambda a: te.extern(a.shape, [a], statement, name="scan")


def add_loops() -> None:
    a = integers(3, 7, dtype="int64")
    scans = {"cumsum": operator.add, "cumprod": operator.mul, "running max": tir.max}
    numpys = {"cumsum": np.cumsum, "cumprod": np.cumprod, "running max": np.maximum.accumulate}
    for name, combine in scans.items():
        expected = numpys[name](a, axis=1)
        add(f"{name} by loops", [a], scan(combine), expected)
        add(f"{name} by loops, symbolic", [a], scan(combine), expected, shapes="n m")
        add(f"{name} of nothing by loops", [a[:, :0]], scan(combine), expected[:, :0])

    def between(x: Any) -> Any:
        twice = elementwise(lambda e: e * 2)(x)
        return elementwise(lambda e: e + 1)(scan(operator.add)(twice))

    add("cumsum between stages", [a], between, np.cumsum(a * 2, axis=1) + 1)

    def histogram(x: Any) -> Any:
        def statement(ins: Any, outs: Any) -> Any:
            (values,), (out,) = ins, outs
            clear = loop("b", 5, lambda b: tir.BufferStore(out, 0, [b]))
            count = loop("i", 40, lambda i: tir.BufferStore(out, out[values[i]] + 1, [values[i]]))
            return tir.stmt_seq(clear, count)

        return te.extern((5,), [x], statement, name="histogram", dtype="int32")

    x = integers(40, low=0, high=5)
    add("bincount by loops", [x], histogram, np.bincount(x, minlength=5).astype("int32"))

    def fibonacci() -> Any:
        def statement(_: Any, outs: Any) -> Any:
            (out,) = outs
            ones = [tir.BufferStore(out, 1, [k]) for k in range(2)]
            more = loop("i", 18, lambda i: tir.BufferStore(out, out[i - 1] + out[i - 2], [i]), 2)
            return tir.stmt_seq(*ones, more)

        return te.extern((20,), [], statement, name="fibonacci", dtype="int32")

    numbers = [1, 1]
    while len(numbers) < 20:
        numbers.append(numbers[-1] + numbers[-2])
    add("fibonacci by loops", [], fibonacci, np.array(numbers, "int32"))

    def divmods(x: Any) -> Any:
        def statement(ins: Any, outs: Any) -> Any:
            def one(i: Any) -> Any:
                v = tir.Var("v", "int32")
                stores = [
                    tir.BufferStore(outs[0], v // 3, [i]),
                    tir.BufferStore(outs[1], v % 3, [i]),
                ]
                return tir.LetStmt(v, ins[0][i] - 20, tir.stmt_seq(*stores))

            return loop("i", 40, one)

        return te.extern([(40,), (40,)], [x], statement, name="divmod")

    add("divmod by loops, two results", [x], divmods, np.divmod(x - 20, np.int32(3)))


with np.errstate(all="ignore"):
    add_broadcasts()
    add_views()
    add_indices()
    add_selections()
    add_loops()


@pytest.fixture(scope="module", name="library")
def library_fixture() -> Library:
    return TABLE.library()


@pytest.mark.parametrize("how", ["block", "scheduled"])
@pytest.mark.parametrize("name", TABLE.programs)
def test_program(name: str, how: str, library: Library) -> None:
    TABLE.check(name, how, library)
