# SPDX-License-Identifier: Apache-2.0
"""What a call uses is not taken from under it: `__init__` and `_move()` refuse until it is back."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from errors import in_use_text, raises
from tain.types.testing import AllKinds, Length, Point
from testing_functions import get

import tain

pytestmark = pytest.mark.bad_input

APPLY, ECHO = get("apply"), get("echo")


def again(point: Point) -> None:
    point.__init__(7)


def move(point: Point) -> None:
    ECHO(point._move())


# How errors name what the two do to a Point.
TAKING = [(again, "__init__()"), (move, "_move()")]


class Labelled(Point):
    pass


@pytest.mark.parametrize(("take", "method"), TAKING)
def test_arguments(take: Callable[[Point], None], method: str) -> None:
    point = Point(1)
    text = in_use_text(f"tain.types.testing.Point.{method}")
    with raises(TypeError, text):
        APPLY(take, point)
    with raises(TypeError, text):
        APPLY(lambda *_: take(point), *range(20), point)
    assert point.x == 1
    take(point)  # the calls are over


def test_a_subclass() -> None:
    point = Labelled(1)
    with raises(TypeError, in_use_text("Labelled.__init__()")):
        APPLY(again, point)
    assert point.x == 1
    again(point)
    assert point.x == 7


def test_a_receiver() -> None:
    length = Length(3.0)
    with raises(TypeError, in_use_text("tain.types.testing.Length.__init__()")):
        length.call(lambda: length.__init__(4.0))
    with raises(TypeError, in_use_text("tain.types.testing.Length._move()")):
        length.call(lambda: ECHO(length._move()))
    assert length.meters == 3.0
    assert length.call(lambda: 5) == 5


def test_the_owner_of_a_field() -> None:
    owner = AllKinds()
    before = list(owner.ints)

    def values(take: Callable[[Any], None]) -> Any:
        take(owner)
        yield 7

    for take, method in (
        (lambda o: o.__init__(), "__init__()"),
        (lambda o: ECHO(o._move()), "_move()"),
    ):
        with raises(TypeError, in_use_text(f"tain.types.testing.AllKinds.{method}")):
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
    for take, method in TAKING:
        with raises(TypeError, in_use_text(f"tain.types.testing.Point.{method}")):
            take(point)
    done.set()
    thread.join()
    again(point)
    assert point.x == 7


def test_buffers() -> None:
    array = tain.Array(range(1000))
    views = [np.asarray(array), memoryview(array)]
    with raises(TypeError, in_use_text("tain.Array._move()")):
        array._move()
    views.pop()
    with raises(TypeError, in_use_text("tain.Array._move()")):
        array._move()
    views.clear()
    gc.collect()
    assert len(ECHO(array._move())) == 1000


def test_functions_are_not_moved() -> None:
    with raises(
        TypeError, "Function._move(): a function cannot be moved: a call of it may be under way"
    ):
        ECHO._move()


def test_many_calls_at_once() -> None:
    points = [Point(i) for i in range(20)]

    def nest(depth: int, *used: Point) -> None:
        for point in points:
            if point in used:
                with raises(TypeError, in_use_text("tain.types.testing.Point.__init__()")):
                    again(point)
            else:
                again(point)
        if depth < len(points):
            APPLY(nest, depth + 1, *used, points[depth])

    nest(0)
    for point in points:
        again(point)
