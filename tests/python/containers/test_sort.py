# SPDX-License-Identifier: Apache-2.0
"""List.sort: the order of list.sort, with keys and comparisons that raise or change the list."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from acting_key import Element, Key
from errors import raises
from like_python import check_both

from tain import List


def both(act, values=(0, 1, 2, 3, 4)) -> None:
    """Do the same to a list and to a List, and compare results, errors and contents."""
    check_both(act, list(values), List(values))


@pytest.mark.parametrize("size", [0, 1, 2, 100, 1000])
def test_sorting(size: int) -> None:
    rng = random.Random(size)
    ints = [rng.randrange(size) for _ in range(size)]
    for values in (ints, [float(x) for x in ints], [f"key {x}" for x in ints]):
        for reverse in (False, True):
            both(lambda x, reverse=reverse: x.sort(reverse=reverse), values)
    pairs = List((x % 7, i) for i, x in enumerate(ints))
    pairs.sort(key=lambda pair: pair[0])
    assert list(pairs) == sorted(((x % 7, i) for i, x in enumerate(ints)), key=lambda p: p[0])


def test_sorting_keeps_the_elements_themselves() -> None:
    things = [object() for _ in range(5)]
    values = List(things)
    values.sort(key=id)
    assert all(a is b for a, b in zip(values, sorted(things, key=id), strict=True))


def test_elements_that_do_not_compare() -> None:
    values = List([1, "a", 2])
    with pytest.raises(TypeError, match="not supported between instances"):
        values.sort()
    assert list(values) == [1, "a", 2]


@pytest.mark.bad_input
def test_a_key_that_changes_the_list() -> None:
    values = List([3, 1, 2])
    with raises(ValueError, "List modified during sort"):
        values.sort(key=lambda x: values.append(x) or x)
    assert list(values) == [3, 1, 2, 3, 1, 2]


@pytest.fixture(autouse=True)
def calm() -> Iterator[None]:
    yield
    Key.calm()


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.append(1),
        lambda s: s.clear(),
        lambda s: s.reverse(),
        lambda s: s.__setitem__(0, s[0]),
        lambda s: (s.append(s[0]), s.pop()),
        lambda s: s.sort(key=id),
        lambda s: s.__setitem__(slice(None), list(s)),
    ],
)
def test_sort_notices_each_change(change: Any) -> None:
    items = List([Element(False), Element(False), Element(False)])
    items[1].act = lambda: change(items)
    items.append(Element(False, lambda: change(items)))
    before = len(items)
    with raises(ValueError, "List modified during sort"):
        items.sort(key=lambda x: change(items) or 1)
    assert len(list(items)) <= before + 4
