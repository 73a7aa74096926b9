# SPDX-License-Identifier: Apache-2.0
"""What goes without the lock of the bridge, against everything that changes what it looks at."""

from __future__ import annotations

import contextlib
import copy
import gc
import itertools
import weakref
from typing import Any

from racing import TURNS, race
from tain.types.testing import threads

import tain


class Named(threads.Safe):
    """Its instances can be told from others, so the object owns them when Python lets go."""

    def __init__(self) -> None:
        super().__init__()
        self.name = "a name"


class Other(threads.Safe):
    pass


class Same(threads.Safe):
    pass


def test_one_iterator_while_types_are_declared() -> None:
    numbers = tain.Array([*range(300), "text", None])
    shared = [iter(numbers)]
    counter = itertools.count()

    def step() -> None:
        for _ in range(20):
            next(shared[0], 0)

    def renew() -> None:
        shared[0] = iter(numbers)
        shared[0].__length_hint__()

    def declare() -> None:
        number = next(counter)
        if number < 10:

            @tain.py_class(f"unlocked.C{number}")
            class Made(tain.Object):
                x: dict[str, list[int]]

            assert Made({"a": [1]}).x["a"][0] == 1

    race(step, step, renew, declare, turns=TURNS // 4)


def test_one_iterator_over_a_list() -> None:
    numbers = tain.List(range(50))
    shared: list[Any] = [iter(numbers), iter(numbers)]

    def step() -> None:
        for _ in range(20):
            with contextlib.suppress(RuntimeError):
                next(shared[0], 0)
            next(reversed(numbers))

    def renew() -> None:
        shared[0] = iter(numbers)
        assert shared[0].__length_hint__() <= 50

    race(step, step, step, renew, turns=TURNS // 4)


def test_an_object_that_is_returned_while_its_wrapper_loses_it() -> None:
    echo = tain.get_global_func("testing.echo")
    counters = [threads.Safe() for _ in range(4)]

    def look() -> None:
        for counter in list(counters):
            with contextlib.suppress(TypeError, ValueError, RuntimeError):
                assert isinstance(counter.self(), threads.Safe)
            with contextlib.suppress(TypeError, ValueError, RuntimeError):
                counter.add(1)
                assert counter.count >= 0 and counter.total >= 0
            with contextlib.suppress(TypeError, ValueError, RuntimeError):
                counter.same(counters[0])

    def again() -> None:
        for counter in list(counters):
            with contextlib.suppress(TypeError, ValueError, RuntimeError):
                counter.__init__()

    def move() -> None:
        for i in range(4):
            with contextlib.suppress(TypeError, ValueError, RuntimeError):
                counters[i] = echo(counters[i]._move())

    def renew() -> None:
        for i in range(4):
            counters[i] = threads.Safe()

    race(look, look, again, move, renew, look, threads=6, turns=TURNS // 4)


def test_a_wrapper_that_wakes_while_it_is_called() -> None:
    kept = tain.List([Named()])
    references: list[Any] = [weakref.ref(kept[0])]

    def by_weak_reference() -> None:
        counter = references[0]()
        if counter is not None:
            assert counter.text("a") == "a!" and counter.name == "a name"
            counter.add(1)
            assert counter.count >= 0

    def by_container() -> None:
        with contextlib.suppress(IndexError):
            counter = kept[0]
            assert counter.text("b") == "b!"
            assert counter.self() is counter
            del counter

    def replace() -> None:
        for _ in range(20):
            kept[0].add(1)
        counter = Named()
        kept[0] = counter
        references[0] = weakref.ref(counter)

    race(by_weak_reference, by_container, by_container, replace, by_weak_reference, threads=5)


def test_the_class_changes_under_calls() -> None:
    counter = Other()

    def assign() -> None:
        counter.__class__ = Same  # type: ignore[assignment]
        counter.__class__ = Other  # type: ignore[assignment]

    def call() -> None:
        assert counter.text("a") == "a!"
        assert counter.self() is counter
        counter.add(1)
        assert counter.count > 0
        assert counter.call(lambda other: other.total) > 0

    race(assign, call, call, turns=TURNS // 2)


def test_methods_are_overridden_under_calls() -> None:
    counter = threads.Safe()

    def define() -> None:
        class Loud(threads.Safe):
            def text(self, text: str) -> str:
                return super().text(text) + "!"

            @property
            def total(self) -> int:
                return -1

        assert Loud().text("a") == "a!!" and Loud().total == -1

    def call() -> None:
        for _ in range(10):
            assert counter.text("a") == "a!"
            assert counter.total >= 0
            counter.add(1)

    race(define, call, call, turns=50)


def test_copies_and_fields_under_calls() -> None:
    counter = threads.Safe()

    def call() -> None:
        counter.add(1)
        assert counter.count > 0

    def look() -> None:
        with contextlib.suppress(TypeError, ValueError, RuntimeError):
            copy.copy(counter)
        repr(counter)
        hash(counter)
        assert counter == counter
        tain.structural_equal(counter, counter)

    race(call, look, call, turns=TURNS // 4)


def test_wrappers_end_while_cpp_holds_the_objects() -> None:
    kept = tain.List([])

    def give() -> None:
        kept.append(Named())
        kept.append(threads.Safe())

    def take() -> None:
        with contextlib.suppress(IndexError):
            counter = kept.pop()
            again = counter.self()
            assert again is counter
            counter.call(lambda other: 1)

    def collect() -> None:
        gc.collect()

    race(give, take, give, take, collect, threads=5, turns=TURNS // 8)
    kept.clear()
