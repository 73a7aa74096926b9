# SPDX-License-Identifier: Apache-2.0
"""Calls of C++ methods by Python, such as super().run(x), reach C++ and not the override again."""

from __future__ import annotations

import threading
from typing import Any

from tain.types.testing import overridden
from tain.types.testing.overridden import Task

call = overridden.call


class Own(Task):  # type: ignore[misc, valid-type]
    def __init__(self, size: int = 1) -> None:
        super().__init__(size)
        self.seen: list[int] = []

    def run(self, x: int) -> int:
        self.seen.append(x)
        return 10 * int(super().run(x))

    def __call__(self, x: int) -> int:
        return int(super().__call__(x)) + 3

    @property
    def weight(self) -> int:
        return 2 * int(super().weight)


def test_super_reaches_cpp_each_time_and_what_that_calls_reaches_python() -> None:
    class Deep(Own):
        def run(self, x: int) -> int:
            return 1 + super().run(x)

    deep = Deep(2)
    assert deep.run(1) == 31
    assert Task.run(deep, 1) == 3
    assert deep.run_twice(1) == 331  # C++ calls run of the same object
    assert Task.run_twice(deep, 1) == 331
    assert deep.seen == [1, 1, 31, 1, 31]
    assert deep.weight == 14
    assert call(deep, "weight", 0) == 14
    assert Task.weight.__get__(deep) == 7
    assert Task.__call__(deep, 1) == 100


def test_an_override_that_calls_another_object_of_its_class() -> None:
    class Pair(Task):  # type: ignore[misc, valid-type]
        other: Any = None

        def run(self, x: int) -> int:
            if self.other is not None:
                x = self.other.run_twice(x)
            return super().run(x)

    first, second = Pair(1), Pair(10)
    first.other = second
    assert call(first, "run", 0) == 21


def test_each_thread_has_its_own_calls() -> None:
    own = Own(2)
    results: list[int] = []

    class Waits(Own):
        def run(self, x: int) -> int:
            worker = threading.Thread(target=lambda: results.append(call(own, "run", x)))
            worker.start()
            worker.join()
            return int(super().run(x))

    assert call(Waits(3), "run", 1) == 40
    assert results == [30]


def test_a_method_that_fails_before_it_reaches_cpp_leaves_nothing_behind() -> None:
    own = Own(2)
    for wrong in ((), ("text",), (1, 2)):
        try:
            Task.run(own, *wrong)
        except TypeError:
            continue
        raise AssertionError(wrong)
    assert call(own, "run", 1) == 30
    assert own.seen == [1]
