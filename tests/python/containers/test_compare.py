# SPDX-License-Identifier: Apache-2.0
"""Containers compared with each other and with Python's own; their hashes."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import pytest
from acting_key import Slips
from errors import raises

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


def shared(depth: int, make: Callable[[Any, Any], Any], last: Any = 1) -> Any:
    """Return a container in which each level holds the level below twice."""
    inner = last
    for _ in range(depth):
        inner = make(inner, inner)
    return inner


def pair(a: Any, b: Any) -> Any:
    return Array([a, b])


def mapping(a: Any, b: Any) -> Any:
    return Map({"a": a, 2: b})


def mixed(a: Any, b: Any) -> Any:
    return Map({"a": Array([a, 1]), 2: Array([a, b])})


MAKERS = (pair, mapping, mixed)


@pytest.mark.parametrize("make", MAKERS)
def test_shared_parts_are_compared_and_hashed_once(make: Callable[[Any, Any], Any]) -> None:
    """Each would be met 2**60 times."""
    a, b, c = shared(60, make), shared(60, make, 1.0), shared(60, make, 2)
    assert operator.eq(a, b) and operator.ne(a, c)
    assert not operator.ne(a, b) and not operator.eq(a, c)
    assert hash(a) == hash(b) != hash(c)
    found = Map({a: "found"})
    assert shared(60, make) in found and c not in found
    assert {a: "found"}[b] == "found"
    if make is pair:
        assert a <= b < c and c > a and not c <= a


@pytest.mark.parametrize("make", MAKERS)
def test_shared_parts_have_the_hashes_of_parts_that_are_not(
    make: Callable[[Any, Any], Any],
) -> None:
    def apart(depth: int) -> Any:
        return 1 if depth == 0 else make(apart(depth - 1), apart(depth - 1))

    for depth in range(8):
        one, other = shared(depth, make), apart(depth)
        assert one == other and hash(one) == hash(other)
    if make is pair:
        inner: Any = 1
        for _ in range(8):
            inner = (inner, inner)
        assert hash(shared(8, make)) == hash(inner)


def test_what_is_known_of_shared_parts_ends_with_the_call() -> None:
    class Number:
        value = 1

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Number) and self.value == other.value

        def __hash__(self) -> int:
            return self.value

    x, y = Number(), Number()
    a, b = shared(40, pair, x), shared(40, pair, y)
    assert a == b and hash(a) == hash(b)
    y.value = 2
    assert a != b and hash(a) != hash(b)
    y.value = 1
    assert a == b and hash(a) == hash(b)


@pytest.mark.bad_input
def test_an_error_among_shared_parts() -> None:
    class Bad:
        def __eq__(self, other: object) -> bool:
            raise ValueError("no answer")

        def __hash__(self) -> int:
            raise ValueError("no hash")

    a, b = shared(40, pair, Bad()), shared(40, pair, Bad())
    for _ in range(2):
        with pytest.raises(ValueError, match="no answer"):
            a == b  # noqa: B015
        with pytest.raises(ValueError, match="no hash"):
            hash(a)
    assert shared(40, pair) == shared(40, pair)


def test_how_often_shared_parts_are_compared() -> None:
    class Counted:
        calls = 0

        def __eq__(self, other: object) -> bool:
            Counted.calls += 1
            return True

        def __hash__(self) -> int:
            return 1

    def calls(make: Callable[[Any, Any], Any]) -> int:
        Counted.calls = 0
        assert shared(10, make, Counted()) == shared(10, make, Counted())
        return Counted.calls

    assert calls(pair) == 2
    assert calls(lambda a, b: List([a, b])) == 2
    assert tain.structural_equal(*(shared(200, lambda a, b: List([a, b])) for _ in range(2)))


@pytest.mark.bad_input
@pytest.mark.parametrize("size", [2, 50])
@pytest.mark.parametrize("op", [operator.eq, operator.ne])
def test_a_value_that_is_dropped_during_a_comparison_clears_the_dict(
    op: Callable[[Any, Any], Any], size: int
) -> None:
    for other in (Dict, Map, dict):
        mapping = Dict((i, i) for i in range(size))
        slips = Slips(lambda: mapping.__setitem__(0, 0), mapping.clear, True)  # noqa: B023
        mapping[0] = slips
        del slips
        with raises(RuntimeError, "Dict changed during comparison"):
            op(mapping, other((i, i) for i in range(size)))
        assert len(mapping) == 0


@pytest.mark.bad_input
@pytest.mark.parametrize("op", [operator.eq, operator.ne, operator.lt])
def test_an_element_that_is_dropped_during_a_comparison_clears_the_list(
    op: Callable[[Any, Any], Any],
) -> None:
    values = List(range(100))
    values[0] = Slips(lambda: values.__setitem__(0, None), values.clear, True)
    assert op(values, list(range(100))) == op([], list(range(100)))
    assert list(values) == []


NAN = float("nan")


@pytest.mark.parametrize(
    "value",
    [
        Array([NAN]),
        Array([1, [NAN, "a"]]),
        Map({"a": NAN}),
        Map({NAN: 1}),
        Map({"a": Array([NAN])}),
        Array([{"a": math.nan}]),
    ],
)
def test_the_hash_of_what_holds_nan_stays(value: Any) -> None:
    assert hash(value) == hash(value)
    assert value in {value}
    assert {value: 1}[value] == 1
    same = tain.testing.echo([value])[0]
    assert hash(same) == hash(value)
