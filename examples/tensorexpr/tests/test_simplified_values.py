# SPDX-License-Identifier: Apache-2.0
"""A simplified expression has the value that it had, at the ends of the types too.

Integers wrap around in the generated code, so a sum that may do so is no sum of mathematics.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from random_expressions import BITS, value_of_node, wrapped
from tensorexpr import tir

CASES = 400
POINTS = 12  # values of the variables, for each case
CONSTANTS = (0, 1, 2, 3, 7, 8, 16, -1, -2, -7, 2**30, 2**31 - 1, -(2**31), 2**40, 2**62)
FACTORS = (2, 3, 4, 8, -1, -3, 2**20, 2**31, 2**33, 2**62, 0, 1)
DIVISORS = (1, 2, 3, 4, 7, 8, 16, 64)

ARITHMETIC = ("Add", "Sub", "Mul", "FloorDiv", "FloorMod", "Min", "Max")


class Maker:
    """Makes random expressions of three variables, by constructors, which simplify nothing."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.dtype = self.random.choice(("int32", "int64"))
        self.vars = [tir.Var(name, self.dtype) for name in "xyz"]

    def constant(self, choices: tuple[int, ...]) -> Any:
        return tir.IntImm(self.dtype, wrapped(self.random.choice(choices), self.dtype))

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
        top = 2 ** (BITS[self.dtype] - 1)
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
            expected, got = (value_of_node(one, values) for one in (e, simpler))
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
