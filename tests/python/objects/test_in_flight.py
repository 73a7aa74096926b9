# SPDX-License-Identifier: Apache-2.0
"""What a call uses is not taken from under it: `__init__` and `_move()` refuse until it is back."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tain.types.testing import AllKinds, Length, Point
from testing_functions import get

import tain

pytestmark = pytest.mark.bad_input

APPLY, ECHO = get("apply"), get("echo")


def again(point: Point) -> None:
    point.__init__(7)


def move(point: Point) -> None:
    ECHO(point._move())


class Labelled(Point):
    pass


TAKEN = r"in use by a call that has not returned"


@pytest.mark.parametrize("take", [again, move])
def test_arguments(take: Callable[[Point], None]) -> None:
    point = Point(1)
    with pytest.raises(TypeError, match=TAKEN):
        APPLY(take, point)
    with pytest.raises(TypeError, match=TAKEN):
        APPLY(lambda *_: take(point), *range(20), point)
    assert point.x == 1
    take(point)  # the calls are over


def test_a_subclass() -> None:
    point = Labelled(1)
    with pytest.raises(TypeError, match=r"Labelled.__init__: the object is in use"):
        APPLY(again, point)
    assert point.x == 1
    again(point)
    assert point.x == 7


def test_a_receiver() -> None:
    length = Length(3.0)
    with pytest.raises(TypeError, match=TAKEN):
        length.call(lambda: length.__init__(4.0))
    with pytest.raises(TypeError, match=TAKEN):
        length.call(lambda: ECHO(length._move()))
    assert length.meters == 3.0
    assert length.call(lambda: 5) == 5


def test_the_owner_of_a_field() -> None:
    owner = AllKinds()
    before = list(owner.ints)

    def values(take: Callable[[Any], None]) -> Any:
        take(owner)
        yield 7

    for take in (lambda o: o.__init__(), lambda o: ECHO(o._move())):
        with pytest.raises(TypeError, match=TAKEN):
            owner.ints = values(take)
        assert list(owner.ints) == before
    owner.ints = (i for i in range(3))
    assert list(owner.ints) == [0, 1, 2]


@pytest.mark.parametrize("call", [APPLY, get("call_in_thread")], ids=["locked", "unlocked"])
def test_a_call_of_another_thread(call: tain.Function) -> None:
    point = Point(1)
    inside, done = threading.Event(), threading.Event()

    def wait(_: Point) -> None:
        inside.set()
        done.wait(60)

    thread = threading.Thread(target=call, args=(wait, point))
    thread.start()
    assert inside.wait(60)
    for take in (again, move):
        with pytest.raises(TypeError, match=TAKEN):
            take(point)
    done.set()
    thread.join()
    again(point)
    assert point.x == 7


def test_buffers() -> None:
    array = tain.Array(range(1000))
    views = [np.asarray(array), memoryview(array)]
    with pytest.raises(TypeError, match=r"Array._move\(\): the object is in use"):
        array._move()
    views.pop()
    with pytest.raises(TypeError, match=r"or by a buffer"):
        array._move()
    views.clear()
    gc.collect()
    assert len(ECHO(array._move())) == 1000


def test_functions_are_not_moved() -> None:
    with pytest.raises(TypeError, match="a function cannot be moved"):
        ECHO._move()


def test_many_calls_at_once() -> None:
    points = [Point(i) for i in range(20)]

    def nest(depth: int, *used: Point) -> None:
        for point in points:
            if point in used:
                with pytest.raises(TypeError, match=TAKEN):
                    again(point)
            else:
                again(point)
        if depth < len(points):
            APPLY(nest, depth + 1, *used, points[depth])

    nest(0)
    for point in points:
        again(point)
