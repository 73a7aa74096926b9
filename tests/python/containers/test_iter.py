# SPDX-License-Identifier: Apache-2.0
"""Iterators over containers: what they give while the container changes, and once they end."""

from __future__ import annotations

import collections
import collections.abc

import pytest
from errors import raises

import tain
from tain import Array, Dict, List


def test_lists_change_during_iteration_as_list_does() -> None:
    for act in (
        lambda x: x.append(len(x)) if len(x) < 8 else None,
        lambda x: x.pop(),
        lambda x: x.clear(),
        lambda x: x.insert(0, 0) if len(x) < 8 else None,
    ):
        seen = []
        for values in (list(range(5)), List(range(5))):
            order = []
            for value in values:
                order.append(value)
                act(values)
            for value in reversed(values):
                order.append(value)
                act(values)
            seen.append(order)
        assert seen[0] == seen[1]


def test_an_exhausted_iterator_stays_exhausted() -> None:
    values = List([1])
    iterator = iter(values)
    assert list(iterator) == [1]
    values.append(2)
    assert list(iterator) == []


@pytest.mark.parametrize("size", [1, 3, 4, 5, 30])
@pytest.mark.parametrize("walk", [iter, lambda d: iter(d.values()), lambda d: iter(d.items())])
def test_dicts_change_during_iteration_as_dict_does(size: int, walk) -> None:
    def fresh() -> Dict:
        return Dict((i, i) for i in range(size))

    mapping = fresh()
    iterator = walk(mapping)
    mapping["new"] = 1
    for _ in range(2):
        with raises(RuntimeError, "Dict changed size during iteration"):
            next(iterator)
    mapping = fresh()
    iterator = walk(mapping)
    next(iterator)
    mapping.clear()
    with raises(RuntimeError, "Dict changed size during iteration"):
        next(iterator)
    mapping = fresh()
    for key in mapping:
        mapping[key] = "changed values are fine"
    assert set(mapping.values()) == {"changed values are fine"}
    mapping = fresh()
    seen = 0
    try:
        for key in mapping:
            seen += 1
            del mapping[key]
            mapping[f"other {seen}"] = 1
    except RuntimeError as error:
        # the new key stands where the next one was looked for
        assert (str(error), seen) == ("Dict keys changed during iteration", 1)  # noqa: PT017
    else:
        assert seen == size


@pytest.mark.parametrize("size", [2, 3, 5, 30])
@pytest.mark.parametrize("walk", [iter, lambda d: iter(d.values()), lambda d: iter(d.items())])
def test_iteration_where_another_key_takes_the_place_of_the_next(size: int, walk) -> None:
    mapping = Dict((i, i) for i in range(size))
    iterator = walk(mapping)
    next(iterator)
    del mapping[1]
    mapping[1000] = 1
    with raises(RuntimeError, "Dict keys changed during iteration"):
        list(iterator)
    with raises(RuntimeError, "Dict changed size during iteration"):
        list(iterator)


@pytest.mark.parametrize("size", [1, 2, 4, 5, 30])
@pytest.mark.parametrize("offset", [0, 1000])
def test_a_loop_in_cpp_whose_body_exchanges_keys(size: int, offset: int) -> None:
    walk = tain.get_global_func("testing.walk_dict")
    mapping = Dict((i, i) for i in range(size))
    seen = []

    def exchange(key: int) -> None:
        seen.append(key)
        mapping.pop(key)
        mapping[key + offset] = 1

    with raises(RuntimeError, "the Map or Dict changed while it was being read"):
        walk(mapping, exchange)
    assert seen == [0]
    assert walk(mapping, lambda key: mapping.update({key: 2})) == size
    assert set(mapping.values()) == {2}


def test_iteration_in_other_shapes() -> None:
    array = Array(range(5))
    first, *rest = array
    assert (first, rest) == (0, [1, 2, 3, 4])
    assert sum(array) == 10
    assert sorted(array, reverse=True) == [4, 3, 2, 1, 0]
    assert "".join(Array("abc")) == "abc"
    assert max(*array) == 4
    iterator = iter(array)
    assert iter(iterator) is iterator
    assert next(iterator) == 0
    assert iterator.__length_hint__() == 4
    assert list(iterator) == [1, 2, 3, 4]
    assert iterator.__length_hint__() == 0
    assert list(iterator) == []
    assert reversed(array).__length_hint__() == 5
    assert isinstance(iterator, collections.abc.Iterator)
