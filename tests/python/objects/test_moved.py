# SPDX-License-Identifier: Apache-2.0
"""What `x._move()` returns: the reference goes along, once, and the object is empty after."""

from __future__ import annotations

import weakref

import pytest
from errors import moved_text, raises
from point_classes import Labelled, Slotted
from tain.types.testing import Holder, Point
from testing_functions import get

COUNT = get("object_use_count")
APPLY = get("apply")
pytestmark = pytest.mark.usefixtures("nothing_kept")


def test_a_move_takes_the_reference_along() -> None:
    point = Point(1, 2)
    assert APPLY(lambda x: COUNT(x), point._move()) == 1
    assert point.__chandle__() == 0
    assert repr(point) == "<tain.types.testing.Point: empty>"
    assert get("take_count")(Point(1, 2)._move()) == 1
    moved = get("take_rvalue")(Point(3, 4)._move())
    assert (moved.x, COUNT(moved)) == (3.0, 1)


EMPTY = moved_text("tain.types.testing.Point")


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "use",
    [
        lambda p: p.x,
        lambda p: setattr(p, "x", 1.0),
        lambda p: p.norm(),
        lambda p: p._move(),
        lambda p: get("echo")(p),
        lambda p: get("point_x")(p),
        lambda p: get("apply")(lambda x: x, p),
        lambda p: Point.norm(p),
    ],
)
def test_a_moved_object_is_empty(use) -> None:
    point = Point(1, 2)
    get("nop") and APPLY(lambda x: None, point._move())
    with raises(ValueError, EMPTY):
        use(point)
    point.__init__(5, 6)
    assert point.x == 5.0


@pytest.mark.bad_input
def test_what_cannot_be_moved() -> None:
    watched = Point(1, 2)
    reference = weakref.ref(watched)
    for made, name in (
        (Labelled(1), "Labelled"),
        (Slotted(1), "Slotted"),
        (watched, "tain.types.testing.Point"),
    ):
        text = (
            f"{name}._move(): the object has Python state (a Python subclass or a weak reference), "
            "which a move would lose"
        )
        with raises(TypeError, text):
            made._move()
        assert made.x == 1.0
    assert reference() is watched


@pytest.mark.bad_input
def test_a_moved_reference_is_used_once() -> None:
    moved = Point(1, 2)._move()
    assert get("take_count")(moved) == 1
    for _ in range(2):
        with raises(ValueError, "the reference made by _move() was used already"):
            get("take_count")(moved)
    del moved
    Point(1, 2)._move()  # nobody takes it


@pytest.mark.bad_input
def test_what_cpp_moved_out_of_a_field() -> None:
    holder = Holder(Point(1, 2))
    assert holder.take().x == 1.0
    assert holder.point is None
    assert repr(holder) == "testing.Holder(point=None)"
    holder.point = Point(3, 4)
    assert holder.point.x == 3.0
