# SPDX-License-Identifier: Apache-2.0
"""What the bridge remembers of a class written in Python ends with each change of the class."""

from __future__ import annotations

import gc
from typing import Any

from tain.types import testing


def test_a_class_gets_other_bases() -> None:
    class First(testing.Point):
        pass

    class Second(testing.Point):
        def __init__(self, x: float) -> None:
            super().__init__(x, 7)

    class Mine(First):
        pass

    made: Any = Mine
    assert [made(1, 2).y for _ in range(3)] == [2] * 3
    Mine.__bases__ = (Second,)
    assert [made(1).y for _ in range(3)] == [7] * 3
    Mine.__bases__ = (First,)
    assert [made(1, 2).y for _ in range(3)] == [2] * 3


def test_an_init_comes_and_goes() -> None:
    class Mine(testing.Point):
        pass

    def init(self: Any, x: float) -> None:
        testing.Point.__init__(self, x, 7)

    for _ in range(3):
        assert Mine(1, 2).y == 2
        Mine.__init__ = init  # type: ignore[method-assign, assignment]
        assert [Mine(1).y for _ in range(3)] == [7] * 3
        del Mine.__init__
    assert Mine(1, 2).y == 2


def test_the_memory_of_a_class_becomes_that_of_another() -> None:
    kinds: list[tuple[type, str]] = [(testing.Point, "x"), (testing.Coin, "amount")]
    for i in range(300):
        base, name = kinds[i % 2]
        cls: Any = type("Passing", (base,), {})
        assert [getattr(cls(1.5), name) for _ in range(3)] == [1.5] * 3
        del cls
        if i % 50 == 0:
            gc.collect()
