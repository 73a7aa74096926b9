# SPDX-License-Identifier: Apache-2.0
"""Which C++ objects are garbage: rings and diamonds, what is held from outside, hidden edges."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Callable

import pytest
from tain.types.testing import AllKinds, Node, Point, Secretive
from testing_functions import get
from threads import in_threads

import tain
from tain import _core

pytestmark = pytest.mark.usefixtures("nothing_kept")


def live(key: str = "testing.Node") -> int:
    return tain.testing.live_objects().get(key, 0)


class Child(Node):
    """A Python subclass: its wrapper has a state of its own."""


def test_rings_that_only_cpp_built() -> None:
    before = live()
    for size in (1, 2, 3, 1000):
        ring = get("make_ring")(size)
        assert ring.value == 0
        del ring
    gc.collect()
    assert live() == before


def test_a_large_ring() -> None:
    before = live()
    ring = get("make_ring")(100_000)
    gc.collect()
    assert live() == before + 100_000
    assert ring.next.next.value == 2
    del ring
    gc.collect()
    assert live() == before


def drop(holder: tain.List) -> None:
    holder.clear()


def drop_in_cpp(holder: tain.List) -> None:
    get("drop_in_thread")(holder._move())


def replace(holder: tain.List) -> None:
    holder[0] = 1


WAYS = [drop, drop_in_cpp, replace]


@pytest.mark.parametrize("collections", [0, 1, 5])
@pytest.mark.parametrize("way", WAYS)
def test_a_ring_that_was_alive_in_a_collection(way: Callable, collections: int) -> None:
    """Nothing tells when C++ drops its last reference to it."""
    before = live()
    holder = tain.List([get("make_ring")(3)])
    for _ in range(collections):
        gc.collect()
    assert live() == before + 3
    way(holder)
    _core._collect_cycles()
    assert live() == before


@pytest.mark.parametrize("way", WAYS)
def test_rings_that_lead_to_each_other(way: Callable) -> None:
    """The second ring is alive when the first is freed, and is held by C++ alone."""
    before = live()
    first, second = get("make_ring")(3), get("make_ring")(4)
    first.next.payload = second
    rings, holder = tain.List([first]), tain.List([second])
    del first, second
    gc.collect()
    rings.clear()
    _core._collect_cycles()
    assert live() == before + 4
    way(holder)
    _core._collect_cycles()
    assert live() == before


@pytest.mark.parametrize("form", ["json", "binary"])
@pytest.mark.parametrize("way", WAYS)
def test_a_ring_that_was_loaded(way: Callable, form: str) -> None:
    """It never had a wrapper."""
    save, load = getattr(tain, f"save_{form}"), getattr(tain, f"load_{form}")
    saved = save(tain.List([get("make_ring")(3)]))
    gc.collect()
    before = live()
    for collects in (False, True):
        holder = load(saved)
        if collects:
            gc.collect()
        way(holder)
        _core._collect_cycles()
        assert live() == before


def test_a_ring_that_a_thread_without_the_gil_loaded() -> None:
    """It is noted later, by a thread that has the GIL."""
    saved = tain.save_binary(tain.List([get("make_ring")(3)]))
    gc.collect()
    before = live()
    holder = get("save.load_in_thread")(saved)
    assert live() == before + 3
    del holder
    _core._collect_cycles()
    assert live() == before


@pytest.mark.parametrize(("size", "collections"), [(1000, 1), (20_000, 4)])
def test_gc_finds_rings_that_were_alive(run, size: int, collections: int) -> None:
    """Collections look at 10,000 such objects on average; each node has a list."""
    run(f"""
        import gc
        import tain
        holder = tain.List([tain.get_global_func("testing.make_ring")({size})])
        gc.collect()
        holder.clear()
        for _ in range({collections}):
            gc.collect()
        assert "testing.Node" not in tain.testing.live_objects()
    """)


def test_diamonds() -> None:
    before = live()
    top, left, right, bottom = Node(1), Node(2), Node(3), Node(4)
    top.items.append(left)
    top.items.append(right)
    left.next = right.next = bottom
    bottom.payload = top
    alive = weakref.ref(top)
    del top, left, right
    gc.collect()
    assert alive() is not None
    assert bottom.payload.items[0].next is bottom
    del bottom
    gc.collect()
    assert live() == before


def test_a_part_that_is_held_from_outside_survives() -> None:
    before = live()
    a, b = Node(1), Node(2)
    a.next, b.next = b, a
    tail = Node(3)
    a.payload = tail
    del a, b
    gc.collect()
    assert live() == before + 1
    assert tail.value == 3


def test_cycles_through_two_types() -> None:
    before = live()
    kinds, node = AllKinds(), Node()
    kinds.object = node
    kinds.map = {"a": node}
    node.payload = kinds
    del kinds, node
    gc.collect()
    assert live() == before
    assert live("testing.AllKinds") == 0


def test_an_object_shared_by_two_wrappers_of_a_cycle_is_not_collected() -> None:
    class Marked(Point):
        pass

    before = live("testing.Point")
    marked = Marked(1)
    marked.me = marked
    marked.array = tain.Array([marked])
    del marked
    gc.collect()
    assert live("testing.Point") == before + 1  # what C++ may still hold keeps its state
    (kept,) = (o for o in gc.get_objects() if type(o) is Marked)
    kept.__dict__.clear()
    del kept
    gc.collect()
    assert live("testing.Point") == before


def test_an_edge_that_is_hidden_keeps_its_cycle() -> None:
    secretive = Secretive()
    secretive.set_hidden(secretive)
    reference = weakref.ref(secretive)
    del secretive
    gc.collect()
    assert reference() is not None
    reference().set_hidden(None)
    gc.collect()
    assert reference() is None


def test_what_a_hidden_edge_holds_is_not_collected() -> None:
    secretive, node = Secretive(), Child(5)
    node.next = node
    secretive.set_hidden(node)
    secretive.open = node
    reference = weakref.ref(node)
    del node
    gc.collect()
    assert reference() is secretive.open
    assert secretive.open.next.value == 5
    secretive.set_hidden(None)
    secretive.open = None
    gc.collect()
    assert reference() is None


def test_threads_without_the_gil_drop_what_is_searched() -> None:
    drop = get("drop_in_thread")
    threads = 3
    done: list[bool] = []

    def work() -> None:
        try:
            for _ in range(200):
                boxes = []
                for _ in range(20):
                    inner = tain.List([1])
                    boxes.append(tain.Array([inner]))
                    del inner  # from now on a candidate, which the box alone holds
                while boxes:
                    drop(boxes.pop()._move())
        finally:
            done.append(True)

    def search() -> None:
        while len(done) < threads:
            _core._collect_cycles()
            time.sleep(0)

    in_threads([search, *[work] * threads])
