# SPDX-License-Identifier: Apache-2.0
"""Cycles through C++ objects are collected; what C++ holds from outside is not."""

from __future__ import annotations

import gc
import itertools
import weakref

import pytest
from tain.types.testing import Node, Point
from testing_functions import DROP, KEEP, KEPT, get

import tain

pytestmark = pytest.mark.usefixtures("nothing_kept")


def live(key: str = "testing.Node") -> int:
    return tain.testing.live_objects().get(key, 0)


class Child(Node):
    """A Python subclass: its wrapper has a state of its own."""


# ---------------------------------------------------------------- the matrix


def by_field(node: Node) -> None:
    node.next = node


def by_any(node: Node) -> None:
    node.payload = node


def by_array(node: Node) -> None:
    node.payload = tain.Array([1, node])


def by_list(node: Node) -> None:
    node.items.append(node)


def by_map(node: Node) -> None:
    node.payload = tain.Map({"a": node})


def by_map_key(node: Node) -> None:
    node.payload = tain.Map({node: 1})


def by_dict(node: Node) -> None:
    node.payload = tain.Dict({"a": node})


def by_nested(node: Node) -> None:
    node.payload = tain.Array([tain.Map({"a": tain.List([node])})])


def by_closure(node: Node) -> None:
    node.callback = lambda: node


def by_bound_method(node: Node) -> None:
    node.callback = node.__init__


def by_exception(node: Node) -> None:
    error = ValueError("holds", node)
    node.payload = error
    assert node.payload is error


def by_opaque(node: Node) -> None:
    node.payload = {node}
    assert isinstance(node.payload, set)


def by_python_cycle(node: Node) -> None:
    box = [node]
    box.append(box)
    node.payload = iter(box)


def by_pure_ring(node: Node) -> None:
    ring = get("make_ring")(5)
    ring.payload = node
    node.payload = ring


EDGES = [by_field, by_any, by_array, by_list, by_map, by_map_key, by_dict, by_nested, by_closure,
         by_bound_method, by_exception, by_opaque, by_python_cycle, by_pure_ring]  # fmt: skip
OWNERS = ["C++", "Python", "subclass", "subclass with state"]


def make(owner: str) -> Node:
    if owner in ("C++", "Python"):
        return Node()
    child = Child()
    if owner.endswith("state"):
        child.state = {"self": child}
    return child


@pytest.mark.parametrize("owner", OWNERS)
@pytest.mark.parametrize("edge", EDGES)
def test_cycles_are_collected(edge, owner: str) -> None:
    gc.collect()
    before = live()
    node = make(owner)
    edge(node)
    reference = weakref.ref(node) if owner == "Python" or owner.startswith("sub") else None
    assert live() > before
    del node
    gc.collect()
    gc.collect()
    assert live() == before
    assert reference is None or reference() is None


@pytest.mark.parametrize("owner", OWNERS)
@pytest.mark.parametrize("edge", EDGES)
def test_what_cpp_holds_is_not_collected(edge, owner: str) -> None:
    node = make(owner)
    node.value = 77
    edge(node)
    kind = type(node)
    KEEP(node)
    del node
    gc.collect()
    gc.collect()
    back = KEPT(0)
    assert (back.value, type(back)) == (77, kind)
    assert [back.next, back.payload, back.callback, *back.items] != [None, None, None]
    if owner.endswith("state"):
        assert back.state["self"] is back
    del back
    DROP()


@pytest.mark.parametrize("owner", OWNERS)
@pytest.mark.parametrize("edge", EDGES)
def test_what_python_holds_is_not_collected(edge, owner: str) -> None:
    node = make(owner)
    node.value = 78
    edge(node)
    holder = [node]
    del node
    gc.collect()
    gc.collect()
    assert holder[0].value == 78
    assert [holder[0].next, holder[0].payload, holder[0].callback, *holder[0].items] != [None] * 3


@pytest.mark.parametrize(("first", "second"), list(itertools.product(EDGES[:7], repeat=2)))
def test_cycles_of_two(first, second) -> None:
    """Two nodes, each of which reaches the other by another kind of edge."""
    before = live()
    a, b = Child(), Node()
    first(a)
    second(b)
    a.items.append(b)
    b.items.append(a)
    a.note = b
    del a, b
    gc.collect()
    gc.collect()
    assert live() == before


# ---------------------------------------------------------------- shapes of graphs


def test_cycles_through_the_state_of_a_plain_type() -> None:
    class Marked(Point):
        pass

    before = live("testing.Point")
    marked = Marked(1)
    marked.array = tain.Array([marked])
    del marked
    gc.collect()
    assert live("testing.Point") == before
    marked = Marked(1)
    marked.me = marked
    del marked
    gc.collect()
    assert live("testing.Point") == before


def test_a_function_that_knows_itself() -> None:
    seen = []

    class Callback:
        def __call__(self) -> None:
            pass

        def __del__(self) -> None:
            seen.append(1)

    callback = Callback()
    callback.function = tain.Function(callback)
    del callback
    gc.collect()
    assert seen == [1]


def test_finalizers_in_a_cycle_see_valid_objects() -> None:
    seen = []

    class Final(Node):
        def __del__(self) -> None:
            seen.append(self.value)

    a, b = Final(1), Final(2)
    a.next, b.next = b, a
    del a, b
    gc.collect()
    assert sorted(seen) == [1, 2]
    gc.collect()
    assert len(seen) == 2


def test_resurrection_out_of_a_cycle() -> None:
    saved = []

    class Phoenix(Node):
        def __del__(self) -> None:
            saved.append(self)

    phoenix = Phoenix(5)
    phoenix.next = phoenix
    del phoenix
    gc.collect()
    assert saved[0].value == 5
    repr(saved[0])
    saved[0].next = None
    saved.clear()


def test_weak_callbacks_of_a_cycle() -> None:
    died = []
    node = Node()
    node.next = node
    reference = weakref.ref(node, lambda _: died.append(1))
    del node
    gc.collect()
    assert reference() is None
    assert died == [1]


def test_collection_while_cpp_calls_back() -> None:
    node = Child(9)
    node.next = node
    seen = []

    def collect(given: Node) -> None:
        gc.collect()
        seen.append(given.next.value)

    get("apply")(collect, node)
    assert seen == [9]
    del node
    gc.collect()


# ---------------------------------------------------------------- what the collector sees


def test_which_types_are_tracked() -> None:
    assert gc.is_tracked(Node())
    assert not gc.is_tracked(Point(1, 2))
    assert gc.is_tracked(Child())
    assert gc.is_tracked(tain.Array([]))


def test_referents() -> None:
    state, opaque = ["state"], {"opaque"}
    node = Child()
    node.state = state
    node.payload = opaque
    referents = gc.get_referents(node)
    assert any(item is opaque for item in referents)
    assert Child in referents
    assert any(item is state or item == {"state": state} for item in referents)
    function = tain.Function(opaque.add)
    assert any(getattr(item, "__self__", None) is opaque for item in gc.get_referents(function))
    shared = Node()
    shared.payload = opaque
    KEEP(shared)
    assert not any(item is opaque for item in gc.get_referents(shared))


def test_collecting_clears_no_object_that_is_in_use() -> None:
    node = Node(1)
    node.items.append(node)
    items = node.items
    del node
    gc.collect()
    assert items[0].value == 1
    assert items[0].items is items
    items.clear()
