# SPDX-License-Identifier: Apache-2.0
"""User code that type checkers accept with the stubs of stubbed.cc."""

import dataclasses
from typing import assert_type

from tain.types.stubbed import CycleError, Mode, Scale, Shape, Square, Unit, by_width, defaults
from tain.types.stubbed.Tree import Leaf

import tain


class Circle(Shape):
    def __init__(self, radius: float) -> None:
        super().__init__(radius)
        self.radius = radius

    def area(self) -> float:
        return 3 * self.size**2 + super().__add__(1)

    def label(self, unit: Unit, marks: tain.Array[int]) -> str:
        return super().label(unit, marks) + Mode.FAST.value

    @property
    def mood(self) -> str:
        return "merry"


circle = Circle(2)
assert_type(Square().parent(), "Shape | None")
assert_type(circle.weights, "tain.Array[float]")
circle.weights = [1, 2.5]
circle.unit = 1
circle.unit = Unit.FOOT
assert_type(circle.unit, Unit)
assert_type(circle.grow(1), int)
assert_type(circle.grow(1.5), float)
assert_type(by_width(1), "str | int")
assert_type(defaults(unit=2, texts=("a",)), str)


def use(scale: Scale, leaf: Leaf) -> None:
    for mark in scale:
        assert_type(mark, int)
    assert_type(leaf.tree is None, bool)
    assert_type(scale < scale, bool)
    print(dataclasses.fields(leaf), {scale: 1})


try:
    pass
except CycleError as error:
    print(error.cell, error.args)
match circle:
    case Shape():
        print(circle.LIMIT)
