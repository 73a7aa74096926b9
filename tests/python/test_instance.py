# SPDX-License-Identifier: Apache-2.0
"""Identity, weak references, the flip, death: one C++ object has one Python object."""

from __future__ import annotations

import gc
import sys
import weakref

import pytest
from tain.types.testing import Aligned, Holder, Mixed, Node, Point, Private, Square, Tree
from testing_functions import DROP, KEEP, KEPT, get

import tain

COUNT = get("object_use_count")
APPLY = get("apply")


pytestmark = pytest.mark.usefixtures("nothing_kept")


class Labelled(Point):
    def __init__(self, x: float, label: object = None) -> None:
        super().__init__(x)
        self.label = label


class Slotted(Point):
    __slots__ = ("label",)


# ---------------------------------------------------------------- identity


def test_one_object_has_one_mirror() -> None:
    point, node = Point(1, 2), Node()
    node.payload = point
    node.items.append(point)
    array, map_ = tain.convert([point, point]), tain.convert({"a": point})
    KEEP(point)
    for fetched in (
        node.payload,
        node.items[0],
        array[0],
        array[1],
        map_["a"],
        next(iter(array)),
        KEPT(0),
        get("echo")(point),
        get("echo_point_ref")(point),
        get("echo_point_bare")(point),
        get("move_point")(point, 0),
        APPLY(lambda x: x, point),
    ):
        assert fetched is point
    assert point.same_as(node.payload)


def test_a_plain_mirror_is_freed_when_nobody_holds_it() -> None:
    node = Node()
    node.payload = Point(1, 2)
    first = node.payload
    address = first.__chandle__()
    del first
    assert node.payload.__chandle__() == address
    assert COUNT(node.payload) == 2


def test_mirrors_of_other_layouts() -> None:
    for made in (Mixed(1.5), Aligned(2.5), Private(3), Square(4)):
        assert get("echo")(made) is made
        assert tain.convert([made])[0] is made
        assert weakref.ref(made)() is made
    assert Aligned(1).is_aligned()


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


def test_a_weak_reference_keeps_the_mirror_while_the_object_lives() -> None:
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


def test_an_object_dropped_by_a_thread_without_the_lock() -> None:
    seen = []

    class Final(Point):
        def __del__(self) -> None:
            seen.append(self.x)

    get("drop_in_thread")(Final(5))
    get("nop")()
    gc.collect()
    assert seen == [5.0]


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


def test_classes_die_with_their_objects() -> None:
    def make() -> weakref.ref:
        class Short(Point):
            pass

        KEEP(Short(1))
        return weakref.ref(Short)

    reference = make()
    gc.collect()
    assert reference() is not None
    DROP()
    gc.collect()
    assert reference() is None


# ---------------------------------------------------------------- counts and moves


def test_use_counts_follow_identity() -> None:
    point = Point(1, 2)
    other = point
    assert COUNT(point) == COUNT(other) == 1
    assert APPLY(lambda x: COUNT(x), point) == 1
    assert APPLY(lambda x: x is point, point)
    assert get("take_count")(point) == 2
    node = Node()
    node.payload = point
    assert COUNT(point) == 2
    array = tain.convert([point, point])
    assert COUNT(point) == 4
    del array
    node.payload = None
    assert COUNT(point) == 1


def test_a_move_takes_the_reference_along() -> None:
    point = Point(1, 2)
    assert APPLY(lambda x: COUNT(x), point._move()) == 1
    assert point.__chandle__() == 0
    assert repr(point) == "<tain.types.testing.Point: empty>"
    assert get("take_count")(Point(1, 2)._move()) == 1
    moved = get("take_rvalue")(Point(3, 4)._move())
    assert (moved.x, COUNT(moved)) == (3.0, 1)


EMPTY = (
    "tain.types.testing.Point object is empty: its __init__ was not called (a subclass must call "
    "super().__init__(...)) or it was moved away with _move()"
)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "use",
    [
        lambda p: p.x,
        lambda p: setattr(p, "x", 1.0),
        lambda p: p.norm(),
        lambda p: p._move(),
        lambda p: get("echo")(p),
        lambda p: get("point_x")(p),
        lambda p: get("apply")(lambda x: x, p),
        lambda p: Point.norm(p),
    ],
)
def test_a_moved_object_is_empty(use) -> None:
    point = Point(1, 2)
    get("nop") and APPLY(lambda x: None, point._move())
    with pytest.raises(ValueError) as caught:
        use(point)
    assert str(caught.value) == EMPTY
    point.__init__(5, 6)
    assert point.x == 5.0


@pytest.mark.bad_input
def test_what_cannot_be_moved() -> None:
    watched = Point(1, 2)
    reference = weakref.ref(watched)
    for made in (Labelled(1), Slotted(1), watched):
        with pytest.raises(TypeError, match="which a move would lose"):
            made._move()
        assert made.x == 1.0
    assert reference() is watched


@pytest.mark.bad_input
def test_a_moved_reference_is_used_once() -> None:
    moved = Point(1, 2)._move()
    assert get("take_count")(moved) == 1
    for _ in range(2):
        with pytest.raises(ValueError, match=r"^the reference made by _move\(\) was used already$"):
            get("take_count")(moved)
    del moved
    Point(1, 2)._move()  # nobody takes it


@pytest.mark.bad_input
def test_what_cpp_moved_out_of_a_field() -> None:
    holder = Holder(Point(1, 2))
    assert holder.take().x == 1.0
    assert holder.point is None
    assert repr(holder) == "testing.Holder(point=None)"
    holder.point = Point(3, 4)
    assert holder.point.x == 3.0


# ---------------------------------------------------------------- depth


def test_a_long_chain_is_freed() -> None:
    chain = get("make_chain")(1_000_000)
    assert get("chain_length")(chain) == 1_000_000
    del chain


def test_a_long_chain_of_mirrors_is_freed() -> None:
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
