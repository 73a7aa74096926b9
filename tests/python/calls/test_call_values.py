# SPDX-License-Identifier: Apache-2.0
"""Calls with values that stand ready: what they hold while they run without the GIL."""

from __future__ import annotations

import threading
import time

import pytest
from tain.types.testing import Point
from testing_functions import get


def test_release_gil_lets_others_run() -> None:
    sleep, ticks = get("sleep"), []
    thread = threading.Thread(target=sleep, args=(0.5,))
    thread.start()
    while thread.is_alive():
        ticks.append(1)
        time.sleep(0.001)
    assert len(ticks) > 10


def test_arguments_live_through_a_call_without_the_lock() -> None:
    started = threading.Event()
    result = []

    def wait(point: Point) -> float:
        started.set()
        time.sleep(0.05)
        return point.x

    holder = [Point(7, 8)]
    thread = threading.Thread(
        target=lambda: result.append(get("call_in_thread")(wait, holder.pop()))
    )
    thread.start()
    started.wait(60)
    thread.join()
    assert result == [7.0]


@pytest.mark.parametrize("name", ["find_key", "find_key_unlocked"])
def test_results_and_errors_are_the_same_with_the_gil_and_without(name: str) -> None:
    find, point = get(name), Point(1, 2)
    assert find({point: "found"}, point) == "found"
    uses = get("object_use_count")(point)
    for _ in range(100):
        with pytest.raises(TypeError):
            find(point, point)
        assert find({point: "found"}, point) == "found"
    assert get("object_use_count")(point) == uses
