# SPDX-License-Identifier: Apache-2.0
"""A simplified expression has the value that it had, at the ends of the types too.

Integers wrap around in the generated code, so a sum that may do so is no sum of mathematics.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from tensorexpr import tir

CASES = 400
POINTS = 12  # values of the variables, for each case
CONSTANTS = (0, 1, 2, 3, 7, 8, 16, -1, -2, -7, 2**30, 2**31 - 1, -(2**31), 2**40, 2**62)
FACTORS = (2, 3, 4, 8, -1, -3, 2**20, 2**31, 2**33, 2**62, 0, 1)
DIVISORS = (1, 2, 3, 4, 7, 8, 16, 64)

ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mul": lambda a, b: a * b,
    "FloorDiv": lambda a, b: a // b,
    "FloorMod": lambda a, b: a % b,
    "Min": min,
    "Max": max,
}
LOGIC: dict[str, Callable[[int, int], bool]] = {
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: a != b,
    "LT": lambda a, b: a < b,
    "LE": lambda a, b: a <= b,
    "GT": lambda a, b: a > b,
    "GE": lambda a, b: a >= b,
    "And": lambda a, b: bool(a and b),
    "Or": lambda a, b: bool(a or b),
}


def wrapped(value: int, bits: int) -> int:
    """Return what a type keeps of a number: its low bits."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def value_of(e: Any, values: dict[str, int], bits: int) -> int:
    """Return the value of an expression, as Python computes it."""
    kind = type(e).__name__
    if kind == "Var":
        return values[e.name]
    if kind == "IntImm":
        return e.value
    if kind == "Select":
        chosen = e.true_value if value_of(e.condition, values, bits) else e.false_value
        return value_of(chosen, values, bits)
    if kind == "Not":
        return not value_of(e.a, values, bits)
    a, b = value_of(e.a, values, bits), value_of(e.b, values, bits)
    if kind in LOGIC:
        return LOGIC[kind](a, b)
    return wrapped(ARITHMETIC[kind](a, b), bits)


class Maker:
    """Makes random expressions of three variables, by constructors, which simplify nothing."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.bits = self.random.choice((32, 64))
        self.vars = [tir.Var(name, f"int{self.bits}") for name in "xyz"]

    def constant(self, choices: tuple[int, ...]) -> Any:
        value = wrapped(self.random.choice(choices), self.bits)
        return tir.IntImm(f"int{self.bits}", value)

    def expression(self, depth: int) -> Any:
        if depth == 0 or self.random.random() < 0.1:
            is_var = self.random.random() < 0.6
            return self.random.choice(self.vars) if is_var else self.constant(CONSTANTS)
        a = self.expression(depth - 1)
        kind = self.random.choice((*ARITHMETIC, "Add", "Sub", "Mul", "Select"))
        if kind in ("FloorDiv", "FloorMod"):
            return getattr(tir, kind)(a, self.constant(DIVISORS))
        if kind == "Mul" and self.random.random() < 0.8:
            return tir.Mul(a, self.constant(FACTORS))
        b = self.expression(depth - 1)
        if kind == "Select":
            test = getattr(tir, self.random.choice(("EQ", "NE", "LT", "LE", "GT", "GE")))
            return tir.Select(test(a, b), a, self.expression(depth - 1))
        return getattr(tir, kind)(a, b)

    def point(self) -> dict[str, int]:
        top = 2 ** (self.bits - 1)
        ends = (0, 1, -1, 5, top - 1, -top, top - 5)
        among = (*ends, self.random.randrange(-50, 50), self.random.randrange(-top, top))
        return {var.name: self.random.choice(among) for var in self.vars}


@pytest.mark.parametrize("batch", range(8))
def test_the_value_stays(batch: int) -> None:
    for case in range(CASES):
        maker = Maker(batch * CASES + case)
        e = maker.expression(maker.random.randrange(1, 6))
        simpler = tir.simplify(e)
        for _ in range(POINTS):
            values = maker.point()
            expected, got = (value_of(one, values, maker.bits) for one in (e, simpler))
            assert got == expected, f"{e} became {simpler}, with {values}"


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda x, y: tir.FloorDiv(x % 8 + 16, 1), "x % 8 + 16"),
        (lambda x, y: tir.FloorMod(tir.Max(y, 2**40) * 2**62, tir.IntImm("int64", 4)), None),
        (lambda x, y: tir.Max(y % 16, tir.Max(y, 2) * 2**20 // 3), None),
    ],
)
def test_what_was_wrong_once(make: Callable[[Any, Any], Any], text: str | None) -> None:
    x, y = tir.Var("x", "int32"), tir.Var("y", "int64")
    e = make(x, y)
    assert str(tir.simplify(e)) == (text or str(e))
