# SPDX-License-Identifier: Apache-2.0
"""Elementwise programs do what numpy does, at the edges of types too."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
import pytest
from numpy_programs import FLOATS, INTS, SIGNED, Library, Make, Table, edges, elementwise
from tensorexpr import tir

TABLE = Table()
add = TABLE.add
TOLERANCE = {"float32": 2e-6, "float64": 1e-13}


def truncdiv(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    rounded_down = (np.fmod(a, b) != 0) & ((a < 0) != (b < 0))
    return (a // b + rounded_down).astype(a.dtype)


# ------------------------------------------------------------- elementwise, at the edges of types

ARITHMETIC: dict[str, tuple[Make, Make]] = {
    "+": (operator.add, np.add),
    "-": (operator.sub, np.subtract),
    "*": (operator.mul, np.multiply),
    "//": (operator.floordiv, np.floor_divide),
    "%": (operator.mod, np.remainder),
    "min": (tir.min, np.minimum),
    "max": (tir.max, np.maximum),
}
OF_INTS = {"truncdiv": (tir.truncdiv, truncdiv), "truncmod": (tir.truncmod, np.fmod)}
OF_FLOATS = {"/": (operator.truediv, np.divide)}


def compare(a: Any, b: Any) -> tuple[Any, ...]:
    return a == b, a != b, a < b, a <= b, a > b, a >= b


def compare_in_numpy(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, ...]:
    return tuple(
        f(a, b)
        for f in (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)
    )


def add_edges() -> None:
    for dtype in INTS + FLOATS:
        x = edges(dtype)
        a, b = x[:, None], x[None, :]
        table = ARITHMETIC | (OF_FLOATS if dtype in FLOATS else OF_INTS)
        for sign, (ours, numpys) in table.items():
            # which zero of 0.0 and -0.0 numpy returns depends on the machine
            c, d = (a + 0, b + 0) if sign in ("min", "max") else (a, b)
            add(f"{dtype} a {sign} b", [c, d], elementwise(ours), numpys(c, d))
        add(f"{dtype} comparisons", [a, b], elementwise(compare), compare_in_numpy(a, b))
        add(f"{dtype} -a", [x], elementwise(operator.neg), np.negative(x))
        add(f"{dtype} abs", [x], elementwise(tir.abs), np.abs(x))
    p, q = edges("bool")[:, None], edges("bool")
    add("bool comparisons", [p, q], elementwise(compare), compare_in_numpy(p, q))
    add("bool a & b", [p, q], elementwise(operator.and_), p & q)
    add("bool a | b", [p, q], elementwise(operator.or_), p | q)
    add("bool ~a", [q], elementwise(operator.invert), ~q)
    add("bool min", [p, q], elementwise(tir.min), np.minimum(p, q))
    add("bool max", [p, q], elementwise(tir.max), np.maximum(p, q))
    # operands of two types are promoted as numpy promotes them
    for one, other in [
        ("int8", "int32"),
        ("uint8", "int8"),
        ("uint32", "int32"),
        ("bool", "int64"),
    ]:
        a, b = edges(one)[:, None], edges(other)
        add(f"{one} + {other}", [a, b], elementwise(operator.add), a + b)
        add(f"{one} < {other}", [a, b], elementwise(operator.lt), a < b)
    for one, other in [("int8", "float32"), ("float32", "float64"), ("int32", "float64")]:
        a, b = edges(one)[:, None], edges(other)
        add(f"{one} * {other}", [a, b], elementwise(operator.mul), a * b)


def add_cast(source: str, x: np.ndarray, targets: list[str]) -> None:
    make = elementwise(lambda a: tuple(a.astype(t) for t in targets))
    add(f"{source} to {', '.join(targets)}", [x], make, tuple(x.astype(t) for t in targets))


def add_casts() -> None:
    for source in [*INTS, *FLOATS, "bool"]:
        x, targets = edges(source), [*INTS, *FLOATS, "bool"]
        targets.remove(source)
        if source in FLOATS:  # C converts only what the integers have
            add_cast(source, x, [t for t in targets if t not in INTS])
            whole = np.array([0, 0.5, 1.9, 100.999, -0.5, -1.9, -100], source)
            add_cast(source, whole, SIGNED)
            add_cast(source, whole[:4], INTS[4:])
        else:
            add_cast(source, x, targets)
    x = edges("int32")
    make = elementwise(lambda a: a.astype("int8").astype("int64"))
    add("int32 to int8 to int64", [x], make, x.astype("int8").astype("int64"))
    make = elementwise(lambda a: (a + 1).astype("int64") - 1)
    add("int32 wraps before it widens", [x], make, (x + np.int32(1)).astype("int64") - 1)
    b = edges("int8")
    make = elementwise(lambda a: (a * a).astype("int32"))
    add("int8 wraps before it widens", [b], make, (b * b).astype("int32"))


# ---------------------------------------------------------------- numbers of Python, choices

X32, I32 = edges("float32"), edges("int32")
LITERALS: dict[str, tuple[np.ndarray, Make]] = {
    "float x + 1": (X32, lambda x: x + 1),
    "float 1 - x": (X32, lambda x: 1 - x),
    "float 0.1 * x": (X32, lambda x: 0.1 * x),
    "float x / 3": (X32, lambda x: x / 3),
    "float 1 / x": (X32, lambda x: 1 / x),
    "float x // 0.3": (X32, lambda x: x // 0.3),
    "float x % -2": (X32, lambda x: x % -2),
    "float 7 % x": (X32, lambda x: 7 % x),
    "float x + inf": (X32, lambda x: x + float("inf")),
    "float x * nan": (X32, lambda x: x * float("nan")),
    "float x - x": (X32, lambda x: x - x),
    "float x != x": (X32, lambda x: x != x),
    "float x * 0": (X32, lambda x: x * 0),
    "float 1 / -x": (X32, lambda x: 1 / -x),
    "float x < 2": (X32, lambda x: x < 2),
    "double x * 0.1": (X32.astype("float64"), lambda x: x * 0.1),
    "int x + 1": (I32, lambda x: x + 1),
    "int 5 - x": (I32, lambda x: 5 - x),
    "int x // 3": (I32, lambda x: x // 3),
    "int x // -3": (I32, lambda x: x // -3),
    "int x // -1": (I32, lambda x: x // -1),
    "int x // 0": (I32, lambda x: x // 0),
    "int x % 0": (I32, lambda x: x % 0),
    "int x % 5": (I32, lambda x: x % 5),
    "int x % -5": (I32, lambda x: x % -5),
    "int 100 // x": (I32, lambda x: 100 // x),
    "int -100 % x": (I32, lambda x: -100 % x),
    "int x <= 2": (I32, lambda x: x <= 2),
    "int x * 4 // 4": (I32, lambda x: x * 4 // 4),
    "int x * 3 % 3": (I32, lambda x: x * 3 % 3),
    "int (x * 4 + 1) % 4": (I32, lambda x: (x * 4 + 1) % 4),
    "int x // 3 * 3 + x % 3": (I32, lambda x: x // 3 * 3 + x % 3),
    "int x // 3 // 5": (I32, lambda x: x // 3 // 5),
    "int x + 1 < x + 2": (I32, lambda x: x + 1 < x + 2),
    "int x - 1 > x": (I32, lambda x: x - 1 > x),
    "int64 x + 2**53 + 1": (edges("int64"), lambda x: x + (2**53 + 1)),
    "uint8 255 - x": (edges("uint8"), lambda x: 255 - x),
    "int8 x * 100": (edges("int8"), lambda x: x * 100),
}


def add_literals() -> None:
    for name, (x, f) in LITERALS.items():
        add(name, [x], elementwise(f), f(x))


def add_choices() -> None:
    x = X32
    i = np.arange(x.size, dtype="int32")
    zero = np.float32(0)
    make = elementwise(lambda a: tir.Select(a > 0, a, 0))
    add("Select relu", [x], make, np.where(x > 0, x, zero))
    make = elementwise(lambda a: tir.if_then_else(a > 0, a, 0))
    add("if_then_else relu", [x], make, np.where(x > 0, x, zero))
    make = elementwise(lambda a: tir.Select(~(a < 1), 1.0, tir.Select(a < -1, -1.0, a)))
    add("Select of Select, not of NaN", [x], make, np.where(~(x < 1), 1, np.where(x < -1, -1, x)))
    make = elementwise(lambda a, k: tir.all(a > -1, a < 2, k != 7))
    add("all of three", [x, i], make, (x > -1) & (x < 2) & (i != 7))
    make = elementwise(lambda a, k: tir.any(a < -1, a > 2, k.equal(7)))
    add("any of three", [x, i], make, (x < -1) | (x > 2) | (i == 7))
    make = elementwise(lambda a, k: tir.if_then_else(tir.any(a > 1, ~(k < 3)), k, -k))
    add("if_then_else of any", [x, i], make, np.where((x > 1) | ~(i < 3), i, -i))
    d = np.array([3, 0, -2, 0], "int32")
    make = elementwise(lambda a: tir.if_then_else(a != 0, 12 // a, -1))
    add("if_then_else guards a division", [d], make, np.array([4, -1, -6, -1], "int32"))
    make = elementwise(lambda a: tir.max(tir.min(a, 6.0), 0.0))
    add("clip", [x], make, np.clip(x, 0, 6))


# ---------------------------------------------------------------- functions of floats

SMOOTH: dict[str, Make] = {
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "erf": lambda x: np.array([math.erf(v) for v in x], x.dtype),
    "sin": np.sin,
    "cos": np.cos,
}
ROUNDED: dict[str, Make] = {"floor": np.floor, "ceil": np.ceil, "round": np.round, "abs": np.abs}


def add_functions() -> None:
    for dtype in FLOATS:
        x = np.array(
            [-np.inf, -4.5, -1, -0.1, -0.0, 0, 1e-3, 0.5, 1, 2.5, 30, np.inf, np.nan], dtype
        )
        for name, numpys in SMOOTH.items():
            make = elementwise(getattr(tir, name))
            add(f"{dtype} {name}", [x], make, numpys(x), TOLERANCE[dtype])
        x = np.append(edges(dtype), np.array([0.5, 1.5, 2.5, -0.5, -1.5, 4.999], dtype))
        for name, numpys in ROUNDED.items():
            add(f"{dtype} {name} at halves", [x], elementwise(getattr(tir, name)), numpys(x))
        base = np.array([-2, -0.0, 0, 0.5, 1, 3, np.inf, np.nan], dtype)[:, None]
        power = np.array([-np.inf, -2, -0.5, 0, 1, 2, 0.5, 3, np.inf, np.nan], dtype)
        add(f"{dtype} pow", [base, power], elementwise(tir.pow), base**power, TOLERANCE[dtype])
        square = elementwise(lambda a: a**2)
        add(f"{dtype} x ** 2", [base], square, base**2, TOLERANCE[dtype])
    for dtype in INTS:
        base, power = edges(dtype)[:, None], np.array([0, 1, 2, 3, 7, 63], dtype)
        add(f"{dtype} pow", [base, power], elementwise(tir.pow), base**power)


with np.errstate(all="ignore"):
    add_edges()
    add_casts()
    add_literals()
    add_choices()
    add_functions()


@pytest.fixture(scope="module", name="library")
def library_fixture() -> Library:
    return TABLE.library()


def test_there_are_many_programs() -> None:
    assert len(TABLE.programs) >= 200


@pytest.mark.parametrize("how", ["block", "scheduled"])
@pytest.mark.parametrize("name", TABLE.programs)
def test_program(name: str, how: str, library: Library) -> None:
    TABLE.check(name, how, library)
