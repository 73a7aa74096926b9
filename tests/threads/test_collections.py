# SPDX-License-Identifier: Apache-2.0
"""Garbage that many threads make and collect: none is lost, and nothing that is used is taken."""

from __future__ import annotations

import copy
import gc
import itertools
import pickle
import weakref
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from racing import TURNS, race
from tain.types.testing import AllKinds, Node
from tain.types.testing.threads import SafeLink

import tain
from tain import _core

RING = tain.get_global_func("testing.make_ring")
DROP = tain.get_global_func("testing.drop_in_thread")


def live() -> Counter[str]:
    return Counter(_core.live_objects())


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """After the last collection there are as many objects of C++ as before."""
    gc.collect()
    before = live()
    yield
    gc.collect()
    gc.collect()
    after = live()
    after.subtract(before)
    assert {key: count for key, count in after.items() if count} == {}


class Final(Node):
    """Counts its ends."""

    made, ended = itertools.count(), itertools.count()

    def __init__(self, value: int = 0) -> None:
        super().__init__(value)
        self.state: list[Any] = [self]
        next(Final.made)

    def __del__(self) -> None:
        assert self.value >= 0 and self.state is not None
        next(Final.ended)


@pytest.mark.parametrize("threads", [2, 8, 16])
def test_rings_of_cpp_objects_alone(threads: int) -> None:
    def rings() -> None:
        ring = RING(5)
        assert ring.next.next.value == 2

    def containers() -> None:
        array = tain.List([1])
        array.append(tain.Array([array, tain.Dict({"a": array})]))

    def two_types() -> None:
        kinds, node = AllKinds(), Node()
        kinds.object, node.payload = node, kinds

    def links() -> None:
        link = SafeLink(None, "a text that is no small one")
        link.next, link.value = link, tain.List([link])

    race(rings, containers, two_types, links, threads=threads, turns=TURNS // 4)


@pytest.mark.parametrize("threads", [2, 8])
def test_threads_collect_at_the_same_time(threads: int) -> None:
    kept = RING(100)

    def rings() -> None:
        RING(10)

    def look() -> None:
        node = kept
        for i in range(100):
            assert node.value == i
            node = node.next
        assert node is kept

    def search() -> None:
        _core._collect_cycles()

    race(rings, gc.collect, look, search, threads=threads, turns=TURNS // 10)
    look()


def test_instances_in_cycles_end_once() -> None:
    made, ended = next(Final.made), next(Final.ended)
    counts = itertools.count()

    def alone() -> None:
        Final(1)

    def pairs() -> None:
        one, other = Final(2), Node(3)
        one.next, other.payload = other, tain.Array([one])
        next(counts)

    def collect() -> None:
        gc.collect(next(counts) % 3)

    race(alone, pairs, collect, pairs, turns=TURNS // 12)
    gc.collect()
    gc.collect()
    made, ended = next(Final.made) - made, next(Final.ended) - ended
    assert made == ended > 1


def test_weak_references_and_resurrection_during_collections() -> None:
    saved: list[Any] = []
    told: list[Any] = []

    class Phoenix(Node):
        def __del__(self) -> None:
            saved.append(self)

    def die() -> None:
        phoenix = Phoenix(7)
        phoenix.next = phoenix
        told.append(weakref.ref(phoenix, lambda _: None))

    def use() -> None:
        for phoenix in saved[-5:]:
            assert phoenix.value == 7 and phoenix.next in (phoenix, None)
        if len(saved) > 20:
            for phoenix in saved[:10]:
                phoenix.next = None
            del saved[:10]

    def upgrade() -> None:
        for reference in told[-5:]:
            phoenix = reference()
            assert phoenix is None or phoenix.value == 7
        del told[:-50]

    race(die, use, gc.collect, upgrade, turns=TURNS // 8)
    gc.collect()
    assert saved
    while saved:  # a second end runs no __del__
        saved.pop().next = None


def test_all_operations_during_collections() -> None:
    graph = tain.Array([Final(i) for i in range(3)])
    graph[0].next = graph[1]
    before = next(Final.made), next(Final.ended)

    def copies() -> None:
        again = copy.deepcopy(graph)
        assert again[0].next is again[1] and again[0].state[0] is again[0]

    def pickles() -> None:
        again = pickle.loads(pickle.dumps(graph))
        assert again[0].next is again[1] and again[2].state[0] is again[2]

    def rewrites() -> None:
        made = tain.rewrite(graph, lambda node: Node(0) if isinstance(node, Node) else None)
        assert [node.value for node in made] == [0, 0, 0]

    def saves() -> None:
        again = tain.load_binary(tain.save_binary(graph[0].next, subclasses="as_parent"))
        again.next = again  # a cycle of C++ alone
        assert tain.structural_hash(graph) == tain.structural_hash(graph)

    race(copies, pickles, rewrites, saves, gc.collect, threads=5, turns=TURNS // 20)
    gc.collect()
    assert [node.value for node in graph] == [0, 1, 2]
    assert before != (next(Final.made), next(Final.ended))


def test_threads_of_cpp_drop_what_is_searched() -> None:
    def give() -> None:
        ring, instance = RING(3), Final(1)
        ring.next.payload = instance
        box = tain.Array([tain.List([ring]), instance])
        del instance
        DROP(box._move())
        assert ring.next.payload.value == 1

    race(give, gc.collect, _core._collect_cycles, turns=TURNS // 8)


def test_what_others_take_out_of_a_ring_lives_on() -> None:
    """A collection looks at a ring while a thread takes a part of it."""
    slot: list[Any] = [RING(4)]
    count = itertools.count()

    def renew() -> None:
        slot[0] = RING(4)

    def take() -> None:
        following = slot[0].next
        if next(count) % 2:
            gc.collect(0)
        assert [following.value, following.next.value, following.next.next.value] == [1, 2, 3]
        assert following.next.next.next.next is following

    race(renew, take, gc.collect, take, turns=TURNS // 8)
    slot.clear()
