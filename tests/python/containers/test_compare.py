# SPDX-License-Identifier: Apache-2.0
"""Containers compared with each other and with Python's own; their hashes."""

from __future__ import annotations

import operator

import pytest

import tain
from tain import Array, Dict, List, Map


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([], []),
        ([1], [1]),
        ([1], [1, 2]),
        ([1, 2], [1, 3]),
        ([1, 2], [1.0, True]),
        (["a"], ["b"]),
        ([[1, 2]], [[1, 2]]),
        ([None], [None]),
        ([2**70], [2**70]),
    ],
)
def test_comparison_is_that_of_tuples(left: list[object], right: list[object]) -> None:
    for kind in (Array, List, tuple, list):
        array, other = Array(left), kind(right)
        assert (array == other) == (left == right)
        assert (array != other) == (left != right)
        assert (other == array) == (right == left)
        for op in (operator.lt, operator.le, operator.gt, operator.ge):
            if left != [None]:
                assert op(array, other) == op(left, right)
                assert op(other, array) == op(right, left)


@pytest.mark.parametrize("other", ["ab", {"a": 1}, {"a", "b"}, 1, None, iter("ab"), range(2)])
def test_other_types_are_not_equal(other: object) -> None:
    assert Array(["a", "b"]) != other
    assert other != Array([0, 1])
    with pytest.raises(TypeError, match="not supported between instances"):
        Array(["a", "b"]) < other  # noqa: B015


@pytest.mark.parametrize("values", [(), (1,), (1, 2), ("a", None, 2**80), (1, (2, (3,)))])
def test_equal_tuples_have_equal_hashes(values: tuple[object, ...]) -> None:
    array = Array(values)
    assert array == values
    assert hash(array) == hash(values)
    assert {array: 1}[values] == 1  # type: ignore[index]


@pytest.mark.bad_input
@pytest.mark.parametrize("value", [List([1]), tain.Dict(), [List()]])
def test_unhashable_elements(value: object) -> None:
    with pytest.raises(TypeError, match="unhashable type"):
        hash(Array([1, value]))


def test_maps_are_equal_as_dicts_are() -> None:
    mapping = Map({"a": 1, "b": [1, 2]})
    assert mapping == {"b": (1, 2), "a": 1.0} or mapping == {"b": [1, 2], "a": 1.0}
    assert mapping == Map({"b": [1, 2], "a": 1})
    assert mapping == Dict({"b": [1, 2], "a": 1})
    assert {"a": 1, "b": [1, 2]} == mapping  # noqa: SIM300
    assert mapping != {"a": 1}
    assert mapping != {"a": 1, "c": [1, 2]}
    assert mapping != {"a": 2, "b": [1, 2]}
    assert mapping != [("a", 1)]
    assert mapping != 5
    with pytest.raises(TypeError, match="not supported between"):
        mapping < mapping  # noqa: B015


def test_equal_maps_have_equal_hashes() -> None:
    assert hash(Map({"a": 1, "b": 2})) == hash(Map({"b": 2, "a": 1}))
    assert hash(Map({"a": 1})) != hash(Map({"a": 2}))
    assert len({Map(a=1), Map(a=1), Map(a=2)}) == 2
    assert hash(Map({"a": (1, 2)})) == hash(Map({"a": Array([1, 2])}))
    with pytest.raises(TypeError, match="unhashable type"):
        hash(Map({"a": List()}))
    with pytest.raises(TypeError, match="unhashable type"):
        hash(Dict())
