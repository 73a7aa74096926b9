# SPDX-License-Identifier: Apache-2.0
"""One object, one wrapper, whichever threads make, fetch, wake and drop it."""

from __future__ import annotations

import contextlib
import gc
import threading
import weakref
from typing import Any

import pytest
from racing import race

import tain
from tain.testing import Holder, Node, Point

THREADS = [2, 4, 16]


@pytest.mark.parametrize("threads", THREADS)
def test_all_threads_get_the_same_wrapper(threads: int) -> None:
    holder = Holder(Point(1, 2))

    def fetch() -> None:
        assert holder.point is holder.point

    race(fetch, threads=threads)


def test_a_wrapper_that_dies_while_others_fetch_it() -> None:
    """Each thread makes it, drops the last reference, and finds the one of another thread."""
    holder = Holder(Point(1, 2))

    def fetch() -> None:
        point = holder.point
        assert point.x == 1
        del point

    race(fetch)


class Named(Point):
    """Its instances can be told from others, so the object owns them when Python lets go."""

    def __init__(self, x: float, y: float) -> None:
        super().__init__(x, y)
        self.name = "a name"


def test_instances_that_objects_own() -> None:
    holder = Holder(Named(1, 2))

    def fetch() -> None:
        point = holder.point
        assert point.name == "a name" and type(point) is Named
        del point

    race(fetch)


def test_weak_references_against_the_last_drop() -> None:
    holders = [Holder(Point(0, 0))]
    references: list[Any] = []

    def replace() -> None:
        point = Named(1, 2)
        references.append(weakref.ref(point))
        holders[0] = Holder(point)
        del point
        if len(references) > 50:
            del references[:25]

    def upgrade() -> None:
        with contextlib.suppress(IndexError):
            point = references[-1]()
            if point is not None:
                assert point.name == "a name" and point.x == 1

    race(replace, upgrade)


def test_fields_that_hold_objects() -> None:
    node = Node(0)
    node.next = Node(1)

    def read() -> None:
        following = node.next
        assert following is None or following.value >= 1

    def write() -> None:
        node.next = Node(2)
        node.payload = "a text that is not short at all"
        node.payload = Node(3)

    def text() -> None:
        assert node.payload is None or isinstance(node.payload, (str, Node))

    race(read, write, text)


def test_construction_in_all_threads() -> None:
    def make() -> None:
        point = Point(1, 2)
        child = Named(3, 4)
        assert (point.x, child.y, child.name) == (1, 4, "a name")
        point.scale(2)
        assert point.x == 2

    race(make)


def test_the_constructor_is_called_again() -> None:
    point = Named(1, 2)

    def again() -> None:
        with contextlib.suppress(TypeError):  # a call of another thread uses it
            point.__init__(3, 4)  # type: ignore[misc]

    def use() -> None:
        with contextlib.suppress(ValueError):
            assert point.norm() >= 0 and point.x in (1, 3)

    race(again, use)


def test_move_against_use() -> None:
    cell = [Point(1, 2)]
    take = tain.get_global_func("testing.take_point") if _has("testing.take_point") else None

    def move() -> None:
        with contextlib.suppress(TypeError, ValueError):
            if take is not None:
                take(cell[0]._move())
            else:
                Holder(cell[0]._move())
        cell[0] = Point(1, 2)

    def use() -> None:
        with contextlib.suppress(ValueError):
            assert cell[0].x == 1

    race(move, use)


def _has(name: str) -> bool:
    return name in tain.list_global_func_names()


def test_collections_beside_everything() -> None:
    ring = tain.get_global_func("testing.make_ring")

    def cycles() -> None:
        node = Node(1)
        node.next = node
        other = Named(1, 2)
        other.self = other  # type: ignore[attr-defined]
        ring(5)

    def collect() -> None:
        gc.collect()

    holder = Holder(Named(1, 2))

    def fetch() -> None:
        assert holder.point.name == "a name"

    race(cycles, collect, fetch, turns=100)
    gc.collect()


def test_last_references_dropped_by_threads_of_cpp() -> None:
    drop = tain.get_global_func("testing.drop_in_thread")

    def give() -> None:
        node = Node(1)
        node.payload = Named(1, 2)
        cell = tain.List([node])
        del node
        drop(cell)
        cell.clear()

    race(give, turns=100)


class Renamed(Point):
    pass


class Again(Point):
    pass


def test_the_class_of_an_instance_is_assigned() -> None:
    point = Renamed(1, 2)

    def assign() -> None:
        point.__class__ = Again  # type: ignore[assignment]
        point.__class__ = Renamed  # type: ignore[assignment]

    def use() -> None:
        assert point.norm() > 0 and type(point) in (Renamed, Again)

    race(assign, use)


def test_threads_end_while_wrappers_wait() -> None:
    holder = Holder(Named(1, 2))
    for _ in range(50):
        threads = [threading.Thread(target=lambda: holder.point.name) for _ in range(8)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
