# SPDX-License-Identifier: Apache-2.0
"""References that are dropped without the GIL: its next holder releases the objects."""

from __future__ import annotations

import gc

import pytest
from tain.types.testing import Point
from testing_functions import get

pytestmark = pytest.mark.usefixtures("nothing_kept")


def test_an_object_dropped_by_a_thread_without_the_lock() -> None:
    seen = []

    class Final(Point):
        def __del__(self) -> None:
            seen.append(self.x)

    get("drop_in_thread")(Final(5))
    get("nop")()
    gc.collect()
    assert seen == [5.0]


def test_objects_are_dropped_in_other_threads() -> None:
    get("drop_in_thread")(Point(1, 2)._move())

    class Child(Point):
        pass

    child = Child(1, 2)
    child.note = "kept"
    get("drop_in_thread")(child)
    assert child.note == "kept"
    assert child.x == 1.0
