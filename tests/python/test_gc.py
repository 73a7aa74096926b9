# SPDX-License-Identifier: Apache-2.0
"""Cycles through C++ objects are collected; what C++ holds from outside is not."""

from __future__ import annotations

import gc
import itertools
import weakref

import pytest
from tain.types.testing import AllKinds, Node, Point, Secretive
from testing_functions import DROP, KEEP, KEPT, get

import tain

pytestmark = pytest.mark.usefixtures("nothing_kept")


def live(key: str = "testing.Node") -> int:
    return tain.testing.live_objects().get(key, 0)


class Child(Node):
    """A Python subclass: its mirror has a state of its own."""


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


def test_rings_that_only_cpp_built() -> None:
    before = live()
    for size in (1, 2, 3, 1000):
        ring = get("make_ring")(size)
        assert ring.value == 0
        del ring
    gc.collect()
    assert live() == before


def test_rings_are_found_without_full_collections(run) -> None:
    """Some releases of CPython look at the oldest generation only when they are asked to."""
    run("""
        import gc, tain
        gc.disable()
        def rings():
            return tain.testing.live_objects().get("testing.Node", 0)
        tain.get_global_func("testing.make_ring")(3)  # tain begins to watch collections
        gc.collect()
        assert rings() == 0
        for size in (3, 2000):
            tain.get_global_func("testing.make_ring")(size)
            assert rings() == size
            for _ in range(99):
                gc.collect(0)
            for _ in range(10):
                gc.collect(1)
            assert rings() == 0
    """)


def test_rings_are_found_by_collections_that_nobody_asks_for(run) -> None:
    run("""
        import gc, tain
        tain.get_global_func("testing.make_ring")(1000)
        kept = []
        for i in range(1_000_000):
            kept.append([])  # garbage collection runs after some number of these
        assert tain.testing.live_objects().get("testing.Node", 0) == 0
    """)


def test_a_large_ring() -> None:
    before = live()
    ring = get("make_ring")(100_000)
    gc.collect()
    assert live() == before + 100_000
    assert ring.next.next.value == 2
    del ring
    gc.collect()
    assert live() == before


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


def test_an_object_shared_by_two_mirrors_of_a_cycle_is_not_collected() -> None:
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


# ---------------------------------------------------------------- what reflection cannot see


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


# ---------------------------------------------------------------- gc.callbacks is the user's

# What is done to gc.callbacks: before there was anything to collect, or after.
CALLBACKS = {
    "untouched": ("", ""),
    "cleared": ("", "gc.callbacks.clear()"),
    "cleared before": ("gc.callbacks.clear()", ""),
    "ours removed": ("", "gc.callbacks[:] = [c for c in gc.callbacks if 'tain' not in repr(c)]"),
    "another list": ("", "gc.callbacks = []"),
    "another list before": ("gc.callbacks = []", ""),
    "the module without it": ("", "del gc.callbacks"),
    "cleared when a collection starts": (
        "gc.callbacks.append(lambda phase, info: gc.callbacks.clear())",
        "",
    ),
    "ours, and then cleared, when a collection starts": (
        "",
        "gc.callbacks.append(lambda phase, info: gc.callbacks.clear())",
    ),
}


@pytest.mark.parametrize("new", [False, True], ids=["known cycles", "new cycles"])
@pytest.mark.parametrize("case", CALLBACKS)
def test_cycles_are_collected_whatever_becomes_of_the_callbacks(run, case: str, new: bool) -> None:
    before, after = CALLBACKS[case]
    run(f"""
        import gc
        import tain
        from tain.types.testing import Node
        def cycles(n):
            for i in range(n):
                a, b = Node(i), Node(i)
                a.next, b.next = b, a
        live = lambda: tain.testing.live_objects().get("testing.Node", 0)
        gc.disable()
        {before}
        cycles(10)
        {after}
        if not {new}:
            for _ in range(3):
                gc.collect()
                Node(1)
            assert live() == 0, live()
        for _ in range(3):
            cycles(10)
            assert live() >= 20, live()
            for _ in range(3):
                gc.collect()
                Node(1)
            assert live() == 0, live()
        """)


@pytest.mark.bad_input
def test_callbacks_that_are_no_list(run) -> None:
    run("""
        import gc, sys
        import tain
        from tain.types.testing import Node
        told = []
        sys.unraisablehook = lambda args: told.append(str(args.exc_value))
        gc.callbacks = ()
        for _ in range(3):
            a, b = Node(1), Node(2)
            a.next, b.next = b, a
            del a, b
            gc.collect()
            Node(3)
        assert tain.testing.live_objects().get("testing.Node", 0) == 0
        assert told == ["gc.callbacks: expected list, got tuple"], told
        """)
