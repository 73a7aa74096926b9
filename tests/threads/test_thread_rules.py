# SPDX-License-Identifier: Apache-2.0
"""Calls of C++ that says it is safe among threads, in all states of its objects."""

from __future__ import annotations

import contextlib
import gc
import weakref
from typing import Any

import pytest
from racing import TURNS, race
from tain.types.testing import threads

import tain

CLASSES = [threads.Silent, threads.Locked, threads.Safe]


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("num_threads", [2, 8])
def test_every_kind_of_argument_and_result(cls: type, num_threads: int) -> None:
    counter = cls()

    def text() -> None:
        assert counter.text("long enough to be no small text") == "long enough to be no small text!"

    def objects() -> None:
        assert counter.self() is counter
        assert counter.same(counter) == 1
        assert counter.same(cls()) == 0

    def callbacks() -> None:
        assert counter.call(lambda other: 3 if other is counter else 0) == 3

    def errors() -> None:
        with pytest.raises(IndexError, match=r"^text$"):
            counter.fail("text")
        with pytest.raises(TypeError):
            counter.text(1)

    def keywords() -> None:
        assert counter.text(text="a") == "a!"
        assert threads.add(b=1.5, a=2) == 3.5
        assert threads.add(1) == 1.5

    def conversions() -> None:
        assert threads.length([1, 2, 3]) == 3

    race(text, objects, callbacks, errors, keywords, conversions, threads=num_threads)
    assert counter.most_inside >= 0


@pytest.mark.parametrize("cls", CLASSES)
def test_sums_are_right(cls: type) -> None:
    counter = cls()
    race(lambda: counter.add(1), threads=8)
    assert counter.total == 8 * TURNS
    if cls is not threads.Safe:
        assert counter.count == 8 * TURNS
        assert counter.most_inside == 1


def test_objects_die_while_others_are_called() -> None:
    shared = [threads.Safe() for _ in range(8)]

    def replace() -> None:
        shared[0] = threads.Safe()
        shared.append(shared.pop(3).self())

    def call() -> None:
        for counter in list(shared):
            assert counter.text("a") == "a!"
            assert weakref.ref(counter)() is counter

    race(replace, call, gc.collect, call)


class Sub(threads.Safe):
    """A subclass of Python, with state."""

    def __init__(self) -> None:
        super().__init__()
        self.me: Any = self  # a cycle


def test_subclasses_in_cycles() -> None:
    kept = tain.List([])

    def make() -> None:
        one = Sub()
        one.add(1)
        assert one.self() is one
        kept.append(one)

    def take() -> None:
        with contextlib.suppress(IndexError):
            one = kept.pop()
            assert one.text("a") == "a!" and one.me is one
            one.call(lambda other: other.total)

    race(make, take, gc.collect, turns=TURNS // 4)
    kept.clear()


def test_a_second_init_meanwhile() -> None:
    counter = threads.Safe()
    refusals: list[str] = []

    def again() -> None:
        try:
            counter.__init__()  # type: ignore[misc]
        except TypeError as error:
            refusals.append(str(error))

    def call() -> None:
        assert counter.text("text that is long enough") == "text that is long enough!"
        counter.add(1)
        assert counter.same(counter) in (0, 1)  # the second argument may be the newer object

    race(again, call, call, call)
    assert all("in use" in text for text in refusals)


def test_moves_meanwhile() -> None:
    echo = tain.get_global_func("testing.echo")
    counters = [threads.Safe() for _ in range(4)]
    refusals: list[str] = []

    def move() -> None:
        for i in range(4):
            try:
                counters[i] = echo(counters[i]._move())
            except (TypeError, ValueError, RuntimeError) as error:
                refusals.append(str(error))

    def call() -> None:
        for counter in list(counters):
            try:
                assert counter.text("a") == "a!"
            except (TypeError, ValueError, RuntimeError) as error:
                refusals.append(str(error))

    def renew() -> None:
        for i in range(4):
            counters[i] = threads.Safe()

    race(move, call, call, renew)
    assert all("moved" in text or "in use" in text for text in refusals), set(refusals)
