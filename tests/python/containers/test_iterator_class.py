# SPDX-License-Identifier: Apache-2.0
"""Iterators that C++ makes: of ranges, of callables, and containers that `__iter__` returns."""

from __future__ import annotations

import collections.abc
import gc
import inspect
import weakref

import pytest
from errors import raises
from tain.types.testing import Basket, Crate, Shelf, Window
from testing_functions import get


def test_def_iter_over_begin_and_end() -> None:
    shelf = Shelf()
    assert list(shelf) == [1, 2, 3]
    assert [*map(str, shelf)] == ["1", "2", "3"]
    assert 2 in shelf
    iterator = iter(shelf)
    assert iter(iterator) is iterator
    assert isinstance(iterator, collections.abc.Iterator)
    assert (next(iterator), iterator.__next__(), next(iterator)) == (1, 2, 3)
    with pytest.raises(StopIteration):
        next(iterator)
    with pytest.raises(StopIteration):
        iterator.__next__()
    assert next(iterator, "end") == "end"


def test_a_range_with_indices_may_change_meanwhile() -> None:
    shelf = Shelf()
    seen = []
    for number in shelf:
        seen.append(number)
        if number == 1:
            shelf.numbers = list(range(10, 30))
        if number == 13:
            shelf.numbers = []
    assert seen == [1, 11, 12, 13]


def test_a_range_without_indices_is_copied() -> None:
    basket = Basket()
    seen = []
    for item in basket:
        seen.append(item)
        basket.prices = {}
    assert seen == [("x", 1), ("y", 2)]
    assert type(seen[0]) is tuple


def test_the_elements_of_a_view_are_copied() -> None:
    """The memory of a std::span may be gone before the iterator is."""
    iterator = iter(Window(2000))
    gc.collect()
    others = [Window(2000) for _ in range(20)]
    assert set(iterator) == {7}
    del others


def test_make_iterator_keeps_its_owner() -> None:
    shelf = Shelf()
    known = weakref.ref(shelf)
    items = shelf.items()
    words = shelf.spell()
    assert items.owner is shelf
    del shelf
    gc.collect()
    assert known() is not None
    assert list(items) == [("x", 1), ("y", 2)]
    assert list(words) == ["a", "b"]
    gc.collect()
    assert known() is None  # exhausted iterators hold nothing


def test_iter_may_return_a_container() -> None:
    crate = Crate()
    assert list(crate) == [4, 5]
    iterator = iter(crate)
    crate.items = [6]
    assert list(iterator) == [4, 5]
    assert list(crate.__iter__()) == [6]
    (a,) = crate
    assert a == 6


def test_generators() -> None:
    assert list(get("count_to")(4)) == [1, 2, 3, 4]
    assert list(get("count_to")(0)) == []
    assert get("sum_iterator")(get("count_to")(4)) == 10
    values = iter([1, 2, None, 3])
    assert list(get("call_until_none")(lambda: next(values))) == [1, 2]


def test_signatures_name_the_elements() -> None:
    assert str(inspect.signature(get("count_to"))).endswith("-> collections.abc.Iterator[int]")
    text = str(inspect.signature(Shelf.items))
    assert text.endswith("-> collections.abc.Iterator[tuple[str, int]]")


@pytest.mark.bad_input
def test_an_error_ends_a_generator() -> None:
    iterator = get("fail_after")(2)
    assert (next(iterator), next(iterator)) == (2, 1)
    with raises(IndexError, "no more shelves"):
        next(iterator)
    assert list(iterator) == []

    def fail() -> int:
        raise KeyError("mine")

    iterator = get("call_until_none")(fail)
    with raises(KeyError, "'mine'"):
        next(iterator)
    assert list(iterator) == []


@pytest.mark.bad_input
def test_an_iterator_that_runs_itself() -> None:
    caught = []

    def again() -> int | None:
        try:
            next(made[0])
        except ValueError as error:
            caught.append(str(error))
        return None

    made = [get("call_until_none")(again)]
    assert list(made[0]) == []
    assert caught == ["the iterator is running already"]
    made.clear()


@pytest.mark.bad_input
@pytest.mark.parametrize("value", [None, 1, [1], object()])
def test_what_is_no_iterator_of_cpp(value: object) -> None:
    with pytest.raises(TypeError, match="sum_iterator"):
        get("sum_iterator")(value)


@pytest.mark.bad_input
def test_iterators_without_an_object() -> None:
    cls = type(get("count_to")(1))
    with pytest.raises(TypeError, match="has no constructor"):
        cls()
    with pytest.raises(ValueError, match="object is empty"):
        next(cls.__new__(cls))


def test_a_cycle_through_an_iterator_is_collected() -> None:
    class Holder(Shelf):
        pass

    holder = Holder()
    holder.iterator = holder.items()
    known = weakref.ref(holder)
    del holder
    gc.collect()
    assert known() is None
