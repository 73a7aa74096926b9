# SPDX-License-Identifier: Apache-2.0
"""Equality and hash by fields: which values are equal, and how large and deep they may be."""

from __future__ import annotations

import decimal
import fractions
import itertools
import math
import operator
import threading
from typing import Any

import foreign_lib
import pytest
from errors import raises
from number_rows import NUMBERS
from tain.types.testing import Clock, Coin, Point
from value_types import Cell, Corner, Loose, Plain

import tain
from tain import Array, Dict, Map

FIND = tain.get_global_func("testing.find_key")
FIND_UNLOCKED = tain.get_global_func("testing.find_key_unlocked")


# Values of a field that are equal as Python's are, or not.
SAME: list[tuple[object, object]] = [
    (1, 1.0), (1, True), (0.0, -0.0), (False, -0.0), (2**70, 2.0**70), (-(2**70), -(2.0**70)),
    (2**64 - 1, 2**64 - 1), (-1, -1.0), (-2, -2.0), (0.5, fractions.Fraction(1, 2)),
    (decimal.Decimal(3), 3), (math.inf, decimal.Decimal("inf")), ("short", "short"),
    ("a text of some length", "a text of some length"), (b"bytes", bytearray(b"bytes")),
    (None, None), ((1, "a", None), [1.0, "a", None]), (tain.Shape([1, 2]), (1, 2)),
    ({"a": [1]}, {"a": (1,)}), ({1: 2, 3: 4}, {3: 4, 1: 2}), ({1: 2}, {1.0: 2}), ({}, {}),
    ((), ()), (frozenset([1, 2]), frozenset([2, 1])), (len, len), (int, int),
    (tain.dtype("int32"), "int32"), (tain.dtype("int32"), tain.dtype("int32")),
    (tain.device("cpu"), tain.device("cpu")), (Cell(1), Cell(1.0)), ((Cell(1), 2), [Cell(1), 2]),
    (Corner(1, 2), Corner(1, 3)), ({Cell(1): 2}, {Cell(1.0): 2}), (Coin(1), Coin(1)),
    (Clock(3), Clock(15)), (math.nan, None), ([math.nan], [math.nan]), ("1", 1), ((1, 2), (1,)),
    ({1: 2}, {1: 3}), ({1: 2}, {2: 2}), (Plain(1), Plain(1)), (Cell(1), Coin(1)), (b"a", "a"),
    (2**70, 2**70 + 1), (2**53 + 1, 2.0**53), (1e308 * 10, 10**400), (print, len),
]  # fmt: skip


@pytest.mark.parametrize(("x", "y"), SAME, ids=map(repr, range(len(SAME))))
def test_fields_compare_as_in_python(x: object, y: object) -> None:
    a, b = Cell(x), Cell(y)
    expected = (a.value,) == (b.value,)
    assert (a == b) is (b == a) is expected
    assert (a != b) is (not expected)
    assert (b in Dict({a: 1})) is (FIND_UNLOCKED(Map({a: 1}), b) == 1) is expected
    assert len(Dict({a: 1, b: 2})) == len({a, b}) == (1 if expected else 2)
    if expected:
        assert hash(a) == hash(b)


def test_numbers_are_equal_and_hash_alike() -> None:
    cells = [Cell(n) for n in NUMBERS]
    for (m, a), (n, b) in itertools.product(zip(NUMBERS, cells, strict=True), repeat=2):
        assert (a == b) is (m == n), (m, n)
        assert m != n or hash(a) == hash(b), (m, n)


def test_nan() -> None:
    nan = Cell(math.nan)
    other = Cell(math.nan)
    assert nan == nan and nan != other and nan in Dict({nan: 1}) and other not in Dict({nan: 1})
    both = Dict({nan: 1, other: 2})
    assert [both[nan], both[other]] == [1, 2]


# ---------------------------------------------------------------- size and shape of values


def chain(length: int) -> Any:
    last = None
    for i in range(length):
        last = Loose(i, last)
    return last


@pytest.mark.bad_input
def test_deep_chains() -> None:
    a, b = chain(200_000), chain(200_000)
    assert a == b and hash(a) == hash(b) and Dict({a: 1})[b] == 1
    b.next.next.next.value = -1
    assert a != b and b not in Dict({a: 1})


@pytest.mark.bad_input
def test_deep_containers_in_a_small_thread() -> None:
    def nested() -> Any:
        inner: Any = Array([1])
        for _ in range(50_000):
            inner = Array([inner])
        return Loose(inner)

    a, b = nested(), nested()
    results: list[object] = []
    old = threading.stack_size(128 * 1024)
    try:
        thread = threading.Thread(
            target=lambda: results.extend([a == b, hash(a) == hash(b), Dict({a: 1})[b]])
        )
        thread.start()
        thread.join()
    finally:
        threading.stack_size(old)
    assert results == [True, True, 1]


@pytest.mark.bad_input
def test_shared_parts_cost_no_more_than_others() -> None:
    a: Any = Loose(0)
    b: Any = Loose(0)
    for _ in range(200):
        a, b = Loose([a, a], a), Loose([b, b], b)
    assert a == b and hash(a) == hash(b) and Dict({a: 1})[b] == 1


@pytest.mark.bad_input
def test_cycles() -> None:
    a, b = Loose(1), Loose(1)
    a.next, b.next = a, Loose(1, b)
    assert a == b
    b.next.value = 2
    assert a != b
    others = Dict({i: i for i in range(9)})
    for use in (lambda: hash(a), lambda: Dict({a: 1}), lambda: FIND(others, a)):
        with raises(RecursionError, "hash() of a value_types.Loose that contains itself"):
            use()
    a.next = b.next = None


@pytest.mark.bad_input
def test_keys_that_hold_maps_of_such_keys() -> None:
    def nested(depth: int) -> Any:
        inner: Any = Cell(1)
        for _ in range(depth):
            inner = Cell({inner: 1})
        return inner

    a, b = nested(400), nested(400)
    assert a == b and hash(a) == hash(b) and Dict({a: "found"})[b] == "found"
    assert a != nested(399)
    a, b = nested(600), nested(600)
    assert hash(a) == hash(b)
    with raises(RecursionError, "maps are nested in keys of maps more than 500 levels deep"):
        a == b  # noqa: B015


@pytest.mark.bad_input
def test_a_python_class_that_never_ends() -> None:
    class Endless(Loose):
        def __eq__(self, other: object) -> bool:
            return Cell(self) == Cell(other)

        def __hash__(self) -> int:
            return hash(Cell(self))

    a, b = Endless(), Endless()
    others = Dict({i: i for i in range(9)})
    for use in (
        lambda: a == b,
        lambda: hash(a),
        lambda: Dict({a: 1}),
        lambda: FIND_UNLOCKED(others, a),
    ):
        with pytest.raises(RecursionError):
            use()


@pytest.mark.bad_input
def test_a_comparison_that_changes_what_is_compared() -> None:
    class Hostile(Point):
        target: Any = None

        def __eq__(self, other: object) -> bool:
            for loose in Hostile.target:
                loose.value = loose.next = None
            return True

        def __hash__(self) -> int:
            return self.__eq__(self)

    for _ in range(3):
        a, b = (Loose([Hostile(1, 1), Loose("a" * 20)], Loose("b" * 20)) for _ in range(2))
        Hostile.target = [a, b]
        assert a == b
        a, b = (Loose([Hostile(1, 1), Loose("a" * 20)], Loose("b" * 20)) for _ in range(2))
        Hostile.target = [a, b]
        assert isinstance(hash(a), int)
    Hostile.target = None


# ---------------------------------------------------------------- types of other libraries


@pytest.fixture(scope="module", name="key")
def key_fixture() -> Any:
    foreign_lib.load("keys")
    # A function of others counts as a live object from the first time that Python sees it.
    for name in ("OnlyEqual", "Key"):
        cls: Any = tain.get_class(f"foreign_keys.{name}")
        cls(1)
    return cls


def test_keys_of_a_foreign_type_are_what_its_code_says(key: Any) -> None:
    assert key(3) == key(13)
    assert operator.ne(key(3), key(13)) is False
    assert key(3) != key(4)
    assert key(3) != 3
    assert hash(key(3)) == hash(key(13))
    assert len({key(3), key(13), key(4)}) == 2
    for make in (dict, tain.Dict, tain.Map):
        mapping = make({key(3): "x"})
        assert mapping[key(13)] == "x"
        assert key(4) not in mapping
    with pytest.raises(TypeError):
        assert key(3) < key(4)

    class Mine(key):  # type: ignore[misc]
        pass

    assert Mine(3) == key(13)
    assert {Mine(3): 1}[key(13)] == 1


def test_a_foreign_type_without_a_hash(key: Any) -> None:
    only_equal = tain.get_class("foreign_keys.OnlyEqual")
    assert only_equal(3) == only_equal(13)
    assert only_equal(3) != key(3)
    with raises(TypeError, "unhashable type: 'tain.types.foreign_keys.OnlyEqual'"):
        hash(only_equal(3))


@pytest.mark.bad_input
def test_errors_of_foreign_keys(key: Any) -> None:
    for use in (lambda: hash(key(-1)), lambda: key(-1) == key(3), lambda: {key(-1): 1}):
        with raises(ValueError, "a negative key"):
            use()
