# SPDX-License-Identifier: Apache-2.0
"""What Array, List and Shape have in common: slices, search, concatenation, repetition."""

# ruff: noqa: RUF005  (concatenation is what is tested)

from __future__ import annotations

import itertools

import pytest
from errors import raises

from tain import Array, List, Shape


@pytest.mark.parametrize("step", [None, 1, 2, -1, -3, 100])
def test_slices_are_of_the_same_kind(step: int | None) -> None:
    values = [0, 1, 2, 3, 4]
    for start, stop in itertools.product([None, 0, 2, -2, 7, -7], [None, 0, 3, -1, 7, -7]):
        for kind in (Array, List, Shape):
            part = kind(values)[start:stop:step]
            assert type(part) is kind
            assert list(part) == values[start:stop:step]


def test_search() -> None:
    array = Array([1, "a", 2.5, None, 1, (1, 2)])
    assert 1 in array
    assert True in array
    assert 2.5 in array
    assert (1, 2) in array
    assert "b" not in array
    assert array.count(1) == 2
    assert array.count(True) == 2
    assert array.index(1) == 0
    assert array.index(1, 1) == 4
    assert array.index(1.0, -3, 100) == 4
    assert array.index(None) == 3
    with raises(ValueError, "1 is not in Array"):
        array.index(1, 1, 4)
    with raises(ValueError, "'b' is not in Array"):
        array.index("b")


def test_objects_are_found_by_their_own_eq() -> None:
    class Anything:
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    thing = Anything()
    array = Array([thing])
    assert array[0] is thing
    assert 5 in array
    assert thing in Array([1, 2])


@pytest.mark.parametrize("other", [(3, 4), [3, 4], Array([3, 4]), List([3, 4])])
def test_concatenation(other: object) -> None:
    joined = Array([1, 2]) + other
    assert type(joined) is Array
    assert joined == (1, 2, 3, 4)
    assert other + Array([1, 2]) == (3, 4, 1, 2)


def test_concatenation_with_builtins_gives_an_array() -> None:
    assert type((1,) + Array([2])) is Array
    assert type([1] + List([2])) is List
    assert type(List([1]) + Array([2])) is List
    array = before = Array([1])
    array += (2,)
    assert array == (1, 2)
    assert before == (1,)


def test_repetition() -> None:
    assert Array([1, "a"]) * 2 == (1, "a", 1, "a")
    assert 2 * Array([1]) == (1, 1)
    assert Array([1]) * 0 == Array([1]) * -1 == ()
    assert type(Array([1]) * 2) is Array
