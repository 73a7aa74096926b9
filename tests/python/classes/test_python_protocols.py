# SPDX-License-Identifier: Apache-2.0
"""Copying, pickling, operators, matching, equality, help and inspect of registered types."""

from __future__ import annotations

import copy
import pickle

import pytest
from errors import raises
from testing_functions import get

import tain
from tain.types import testing as t


class Slotted(t.Point):
    __slots__ = ("label",)


# ---------------------------------------------------------------- copy and pickle


def test_functions_and_classes_are_pickled_by_name() -> None:
    for value in (get("echo"), t.Point, t.Point.norm, tain.get_global_func, t.Color, t.Color.RED):
        assert pickle.loads(pickle.dumps(value)) is value or value is t.Point.norm
        assert copy.copy(value) is value or value is t.Point.norm
    assert pickle.loads(pickle.dumps(t.Point.norm))(t.Point(3, 4)) == 5.0


# ---------------------------------------------------------------- operators


def test_a_container_written_in_cpp() -> None:
    bag = t.Bag()
    with bag as entered:
        assert entered is bag
        assert bag.entered
        for i, value in enumerate(["a", 2, None]):
            bag[i] = value
    assert not bag.entered
    assert (len(bag), bag[0], bag[-1]) == (3, "a", None)
    assert "a" in bag
    assert "b" not in bag
    del bag[0]
    assert list(bag) == [2, None]
    with raises(IndexError, "bag index out of range"):
        bag[5]
    with pytest.raises(StopIteration):
        next(t.Countdown(0))


def test_equality_and_hash_by_default() -> None:
    point, same = t.Point(1, 2), t.Point(1, 2)
    assert point == point
    assert point != same
    assert point.__eq__(5) is NotImplemented
    assert len({point, same, point}) == 2
    assert hash(point) == hash(point)
    record = t.Record(1, "a")
    assert record == t.Record(1, "a", 5)
    assert hash(record) == hash(t.Record(1, "a", 5))
    assert record < t.Record(1, "b") <= t.Record(1, "b")
    assert record != 5
