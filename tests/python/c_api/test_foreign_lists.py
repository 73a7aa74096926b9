# SPDX-License-Identifier: Apache-2.0
"""Lists that code of other libraries grows: all their memory is freed, whoever grew them last."""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path

import foreign_lib
import pytest

import tain
from tain import List


@pytest.fixture(scope="module")
def append() -> Callable[[List, int], int]:
    foreign_lib.load("lists")
    return foreign_lib.function("foreign_lists.append")


MADE: dict[str, Callable[[], List]] = {
    "empty": List,
    "of elements": lambda: List(range(3)),
    "copied": lambda: List(List([1])),
    "loaded": lambda: tain.load_json(tain.save_json(List([1, 2]))),
    "cleared": lambda: (made := List([1]), made.clear())[0],
}


@pytest.mark.parametrize("made", MADE)
def test_a_list_is_grown_in_turns(append: Callable[[List, int], int], made: str) -> None:
    values = MADE[made]()
    model = list(values)
    for i in range(500):
        append(values, i)
        values.append(-i)
        model += [i, -i]
        if i % 100 == 50:
            del values[:150]
            del model[:150]
    assert list(values) == model
    assert values.copy() == model


def test_no_memory_is_lost(append: Callable[[List, int], int]) -> None:
    page = resource.getpagesize()

    def used() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * page

    def grow() -> None:
        append(List(), 1)
        append(List([1]), 1)

    for _ in range(2000):
        grow()
    before = used()
    for _ in range(10_000):  # a List that loses its block loses 1 KiB
        grow()
    assert used() - before < 4 << 20
