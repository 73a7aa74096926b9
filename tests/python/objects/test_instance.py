# SPDX-License-Identifier: Apache-2.0
"""Identity, weak references, the flip, death: one C++ object has one Python object."""

from __future__ import annotations

import gc
import sys
import weakref

import pytest
from point_classes import Labelled, Slotted
from tain.types.testing import Node, Point, Tree
from testing_functions import DROP, KEEP, KEPT, get

import tain

COUNT = get("object_use_count")


pytestmark = pytest.mark.usefixtures("nothing_kept")


# ---------------------------------------------------------------- identity


def test_sizes() -> None:
    head = object.__basicsize__  # of every Python object; larger where there is no GIL
    for made in (Point(1, 2), Node(), Tree(), tain.Array(), tain.Dict()):
        assert type(made).__basicsize__ == head + 16, type(made)
        assert sys.getsizeof(made) <= head + 32, type(made)
    assert sys.getsizeof(Point(1, 2)) == head + 16


def test_live_objects_are_counted() -> None:
    before = tain.testing.live_objects().get("testing.Point", 0)
    points = [Point(i) for i in range(10)]
    assert tain.testing.live_objects()["testing.Point"] == before + 10
    del points[5:]
    assert tain.testing.live_objects()["testing.Point"] == before + 5
    points.clear()
    assert tain.testing.live_objects().get("testing.Point", 0) == before


# ---------------------------------------------------------------- weak references


def test_weak_references() -> None:
    point = Point(1, 2)
    died = []
    reference = weakref.ref(point, lambda _: died.append(1))
    assert reference() is point
    assert list(weakref.WeakSet([point])) == [point]
    del point
    assert reference() is None
    assert died == [1]


def test_a_weak_reference_keeps_the_wrapper_while_the_object_lives() -> None:
    node = Node()
    node.payload = Point(1, 2)
    reference = weakref.ref(node.payload)
    gc.collect()
    assert reference() is node.payload
    node.payload = None
    assert reference() is None


def test_weak_references_are_cleared_before_the_object_is_released() -> None:
    seen = []

    class Watched(Point):
        pass

    watched = Watched(1)
    reference = weakref.ref(watched, lambda r: seen.append(r()))
    KEEP(watched)
    del watched
    gc.collect()
    assert seen == []
    assert reference().x == 1.0
    DROP()
    assert seen == [None]
    assert reference() is None


# ---------------------------------------------------------------- the flip


@pytest.mark.parametrize("store", ["kept", "field", "list", "array", "map"])
@pytest.mark.parametrize("cls", [Labelled, Slotted])
def test_a_subclass_comes_back_as_itself(cls: type, store: str) -> None:
    made = cls(1)
    made.label = ["own", store]
    identity = id(made)
    node = Node()
    containers = []
    if store == "kept":
        KEEP(made)
    elif store == "field":
        node.payload = made
    elif store == "list":
        node.items.append(made)
    elif store == "array":
        containers.append(tain.convert([made]))
    else:
        containers.append(tain.convert({"a": made}))

    def fetch() -> Point:
        if store == "kept":
            return KEPT(0)
        if store == "field":
            return node.payload
        if store == "list":
            return node.items[0]
        return containers[0][0 if store == "array" else "a"]

    del made
    for _ in range(3):
        gc.collect()
        back = fetch()
        assert type(back) is cls
        assert (id(back), back.label, back.x) == (identity, ["own", store], 1.0)
        assert fetch() is back
        del back


def test_the_finalizer_runs_once_on_a_valid_object() -> None:
    seen = []

    class Final(Point):
        def __del__(self) -> None:
            seen.append((self.x, self.norm(), self.label))

    final = Final(3, 4)
    final.label = "last"
    del final
    assert seen == [(3.0, 5.0, "last")]
    final = Final(6, 8)
    final.label = "flipped"
    KEEP(final)
    del final
    gc.collect()
    assert len(seen) == 1
    assert KEPT(0).label == "flipped"
    assert len(seen) == 1
    DROP()
    assert seen[1:] == [(6.0, 10.0, "flipped")]


def test_resurrection() -> None:
    saved = []

    class Phoenix(Point):
        def __del__(self) -> None:
            saved.append(self)

    Phoenix(1, 2)
    assert saved[0].norm() > 2
    assert get("echo")(saved[0]) is saved[0]
    KEEP(saved.pop())
    DROP()
    saved.clear()


def test_resurrection_into_cpp() -> None:
    class Stubborn(Point):
        def __del__(self) -> None:
            KEEP(self)

    stubborn = Stubborn(7)
    stubborn.label = "again"
    del stubborn
    back = KEPT(0)
    assert (type(back), back.label, back.x) == (Stubborn, "again", 7.0)
    DROP()
    assert COUNT(back) == 1


def test_subclasses_of_subclasses() -> None:
    class Child(Labelled):
        pass

    class Slots(Child):
        __slots__ = ("extra",)

    made = Slots(1, "label")
    made.extra = [1]
    KEEP(made)
    del made
    gc.collect()
    assert (KEPT(0).extra, KEPT(0).label, type(KEPT(0))) == ([1], "label", Slots)


# ---------------------------------------------------------------- depth


def test_a_long_chain_is_freed() -> None:
    chain = get("make_chain")(1_000_000)
    assert get("chain_length")(chain) == 1_000_000
    del chain


def test_a_long_chain_of_wrappers_is_freed() -> None:
    head = None
    nodes = []
    for _ in range(100_000):
        node = Node()
        node.next = head
        nodes.append(node)
        head = node
    del node
    nodes.clear()
    assert head.next is not None
    del head


def test_a_long_chain_through_dictionaries_is_freed() -> None:
    class Link(Point):
        pass

    head = None
    for i in range(100_000):
        link = Link(i)
        link.before = head
        head = link
    del link
    assert head.before.before.x == 99_997.0
    del head


def test_a_long_chain_of_flipped_subclasses_is_freed() -> None:
    class Link(Node):
        pass

    head = None
    for i in range(20_000):
        link = Link(i)
        link.note = i
        link.next = head
        head = link
    del link
    assert (head.next.note, type(head.next.next)) == (19_998, Link)
    del head


def test_a_long_chain_is_shown() -> None:
    chain = get("make_chain")(100_000)
    assert repr(chain).startswith("testing.Node(value=0, next=testing.Node(value=1, ")
    gc.collect()
    assert chain.next.next.value == 2


def test_cycles_are_shown() -> None:
    node = Node()
    node.next = node
    node.items.append(node.items)
    assert "..." in repr(node)
    node.next = None
    node.items.clear()
