# SPDX-License-Identifier: Apache-2.0
"""The tie: one C++ object has one Python object, which it owns or which owns it."""

from __future__ import annotations

import weakref

import pytest
from tain.types.testing import Aligned, Mixed, Node, Point, Private, Square
from testing_functions import KEEP, KEPT, get

import tain

COUNT = get("object_use_count")
APPLY = get("apply")
pytestmark = pytest.mark.usefixtures("nothing_kept")


def test_one_object_has_one_wrapper() -> None:
    point, node = Point(1, 2), Node()
    node.payload = point
    node.items.append(point)
    array, map_ = tain.convert([point, point]), tain.convert({"a": point})
    KEEP(point)
    for fetched in (
        node.payload,
        node.items[0],
        array[0],
        array[1],
        map_["a"],
        next(iter(array)),
        KEPT(0),
        get("echo")(point),
        get("echo_point_ref")(point),
        get("echo_point_bare")(point),
        get("move_point")(point, 0),
        APPLY(lambda x: x, point),
    ):
        assert fetched is point
    assert point.same_as(node.payload)


def test_a_plain_wrapper_is_freed_when_nobody_holds_it() -> None:
    node = Node()
    node.payload = Point(1, 2)
    first = node.payload
    address = first.__chandle__()
    del first
    assert node.payload.__chandle__() == address
    assert COUNT(node.payload) == 2


def test_wrappers_of_other_layouts() -> None:
    for made in (Mixed(1.5), Aligned(2.5), Private(3), Square(4)):
        assert get("echo")(made) is made
        assert tain.convert([made])[0] is made
        assert weakref.ref(made)() is made
    assert Aligned(1).is_aligned()


def test_use_counts_follow_identity() -> None:
    point = Point(1, 2)
    other = point
    assert COUNT(point) == COUNT(other) == 1
    assert APPLY(lambda x: COUNT(x), point) == 1
    assert APPLY(lambda x: x is point, point)
    assert get("take_count")(point) == 2
    node = Node()
    node.payload = point
    assert COUNT(point) == 2
    array = tain.convert([point, point])
    assert COUNT(point) == 4
    del array
    node.payload = None
    assert COUNT(point) == 1
