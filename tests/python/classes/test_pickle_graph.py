# SPDX-License-Identifier: Apache-2.0
"""Pickles that are deep, that lie, that are cut off, and that another version of a type wrote."""

from __future__ import annotations

import contextlib
import copy
import functools
import io
import pickle
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from errors import empty_text, in_use_text, raises
from interpreter import DEBUG, reads_the_original
from tain.types.testing import Bead, Holder, Node, Point, Record
from testing_functions import get

import tain


def by_pickle(value: Any, protocol: int = pickle.DEFAULT_PROTOCOL) -> Any:
    return pickle.loads(pickle.dumps(value, protocol))


WAYS = {
    "deepcopy": copy.deepcopy,
    **{f"pickle {n}": functools.partial(by_pickle, protocol=n) for n in range(6)},
}


@pytest.fixture(params=WAYS)
def again(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    return WAYS[request.param]


class Link(Point):
    """A chain through Python's attributes."""


class Labelled(Node):
    """Keeps Python state beside its C++ fields."""


class Chooses(Node):
    def __getstate__(self) -> dict[str, object]:
        return {"chosen": True}


class Sets(Node):
    def __setstate__(self, state: object) -> None:
        self.set = state


class Valued(Node):
    """Compared and hashed by value."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Valued) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)


class Reduces(Node):
    def __reduce__(self) -> tuple[Any, ...]:
        return Reduces, (), None


# ---------------------------------------------------------------- depth


def test_a_long_chain(again) -> None:
    chain = get("make_chain")(5000)
    copied = again(chain)
    assert get("chain_length")(copied) == 5000
    assert (copied.value, copied.next.value, copied.next.next.value) == (0, 1, 2)
    assert not copied.next.same_as(chain.next)


def test_a_very_long_chain() -> None:
    copied = by_pickle(get("make_chain")(100_000))
    assert get("chain_length")(copied) == 100_000


GROWTH = """
    import copy, gc, pickle, time, tain
    from tain.types.testing import Node
    def seconds(act, size):
        chain = tain.get_global_func("testing.make_chain")(size)
        gc.collect()
        start = time.process_time()
        act(chain)
        return time.process_time() - start
    for act in (copy.deepcopy, pickle.dumps, lambda x: pickle.loads(pickle.dumps(x))):
        small, large = seconds(act, 5_000), seconds(act, 50_000)
        assert large < 40 * small, (act, small, large)  # quadratic: 100
"""


def test_time_grows_with_the_chain(run) -> None:
    run(GROWTH)


def test_a_chain_of_subclasses(again) -> None:
    head = None
    for i in range(1000):
        node = Labelled(i)
        node.next, node.note, head = head, [i], node
    copied = again(head)
    for i in reversed(range(1000)):
        assert (type(copied), copied.value, copied.note) == (Labelled, i, [i])
        copied = copied.next
    assert copied is None


def test_a_chain_through_attributes(again) -> None:
    head = None
    for i in range(1000):
        link = Link(i)
        link.before, head = head, link
    copied = again(head)
    for i in reversed(range(1000)):
        assert (type(copied), copied.x) == (Link, float(i))
        copied = copied.before


def test_a_chain_through_containers(again) -> None:
    head = Node()
    for i in range(1000):
        node = Node(i)
        node.payload = [tain.Map({"next": head})] if i % 2 else head
        head = node
    copied = again(head)
    for i in reversed(range(1000)):
        assert copied.value == i
        copied = copied.payload[0]["next"] if i % 2 else copied.payload


def test_a_long_ring(again) -> None:
    ring = get("make_ring")(1000)
    copied = at = again(ring)
    for i in range(1000):
        assert at.value == i
        at = at.next
    assert at is copied
    copied.next = ring.next = None


def edges(node: Node) -> list[Node]:
    return [node.next, node.payload, *node.items]


def clear(nodes: list[Node]) -> None:
    for node in nodes:
        node.next = node.payload = None
        node.items.clear()


@contextlib.contextmanager
def made_graph() -> Iterator[list[Node]]:
    """300 nodes, each with four edges to any."""
    pick = random.Random(4)
    nodes = [Node(i) if i % 3 else Labelled(i) for i in range(300)]
    for node in nodes:
        node.next, node.payload = pick.choice(nodes), pick.choice(nodes)
        node.items.extend(pick.choices(nodes, k=2))
    yield nodes
    clear(nodes)


def test_sharing_and_cycles_of_a_large_graph(again) -> None:
    with made_graph() as graph:
        copied = again(graph)
        for before, after in zip(graph, copied, strict=True):
            assert (type(after), after.value) == (type(before), before.value)
            expected = [copied[node.value] for node in edges(before)]
            assert all(x is y for x, y in zip(edges(after), expected, strict=True))
        clear(copied)


def test_parts_of_a_graph_that_was_written_already(again) -> None:
    """Many that share a large graph: it is written once."""
    with made_graph() as graph:
        holders = [Labelled(1000 + i) for i in range(100)]
        for holder in holders:
            holder.next = graph[0]
        copied = again([graph, *holders])
        assert all(holder.next is copied[0][0] for holder in copied[1:])
        alone, shared = len(pickle.dumps(graph)), len(pickle.dumps([graph, *holders]))
        assert shared < 2 * alone
        clear(copied[0])


def test_objects_between_that_pickle_their_own_way(again) -> None:
    head = Node(0)
    for i in range(1, 90):
        cls = (Node, Labelled, Chooses, Sets, Reduces)[i % 5 if i > 50 else 0]
        node = cls(i)
        if cls is Labelled:
            node.note = i
        node.next, head = head, node
    copied, at = again(head), 89
    while copied is not None and type(copied) is not Reduces:
        assert copied.value == at or type(copied) is Sets
        if type(copied) is Chooses:
            assert copied.chosen
        copied, at = copied.next, at - 1
    assert type(copied) is Reduces
    assert (copied.value, copied.next) == (0, None)


def test_values_are_complete_before_they_are_hashed(again) -> None:
    head = None
    for i in range(100):
        node, value = Labelled(i), Valued(i)
        node.payload, node.keys, node.next = value, {value: i, Record(i, "key"): i}, head
        head = node
    copied = again(head)
    for i in reversed(range(100)):
        assert copied.keys == {Valued(i): i, Record(i, "key"): i}
        assert copied.keys[copied.payload] == i
        assert next(iter(copied.keys)) is copied.payload
        copied = copied.next


@pytest.mark.only_if(not DEBUG, reason="a debug build bounds calls from C to Python at 500")
def test_the_pickler_that_is_written_in_python() -> None:
    file, limit = io.BytesIO(), sys.getrecursionlimit()
    with made_graph() as graph:
        try:
            sys.setrecursionlimit(20_000)
            pickle._Pickler(file).dump(graph)
        finally:
            sys.setrecursionlimit(limit)
        copied = pickle.loads(file.getvalue())
        for before, after in zip(graph, copied, strict=True):
            expected = [copied[node.value] for node in edges(before)]
            assert all(x is y for x, y in zip(edges(after), expected, strict=True))
        clear(copied)
    with pytest.raises(RecursionError):
        pickle._Pickler(io.BytesIO()).dump(get("make_chain")(5000))


def test_the_parts_of_an_older_pickle() -> None:
    """Earlier versions wrote no list of needed objects, and one list in the state."""
    inner, outer = REBUILD(Node, {"value": 2}), REBUILD(Node, {"value": 1})
    outer.__setstate__(([inner, None, (inner, {"next": outer}, None)], {"next": inner}, None))
    assert (outer.value, outer.next.value) == (1, 2)
    assert outer.next.next is outer
    outer.next = None
    assert REBUILD(Bead, {"value": 3, "next": REBUILD(Bead, {"value": 4})}).next.value == 4


@pytest.mark.bad_input
def test_a_walk_that_is_moved_on_by_what_it_calls() -> None:
    state: dict[str, Any] = {}

    class Meddles(Node):
        def __getstate__(self) -> Any:
            if "walk" in state:
                with pytest.raises(RuntimeError, match="the list of a graph is being read"):
                    next(state["walk"])
                state["told"] = True
            return None

    chain = get("make_chain")(60)
    at = Meddles(1)
    chain.payload = at
    graph = chain.__reduce__()[2][0]
    state["walk"] = graph.__reduce__()[3]
    for node in state["walk"]:
        if node is not None and not isinstance(node, tuple):
            node.__reduce__()
    assert state["told"]
    state.clear()  # the collector does not look into the walk
    chain.payload = None


@pytest.mark.bad_input
@pytest.mark.parametrize("limit", [60, 80, 120])
def test_a_small_recursion_limit(limit: int, run) -> None:
    run(f"""
        import copy, pickle, sys
        import tain
        from tain.types.testing import Node, Holder, Point
        class Child(Node):
            pass
        child = Child(1)
        child.next, child.note = Node(2), [3]
        ring = tain.get_global_func("testing.make_ring")(50)
        chain = tain.get_global_func("testing.make_chain")(50)
        results = set()
        def deeper(n, f):
            return f() if n == 0 else deeper(n - 1, f)
        sys.setrecursionlimit({limit})
        for depth in range({limit}):
            for f in (
                lambda: copy.deepcopy(child), lambda: copy.copy(child), lambda: Child(5).next,
                lambda: pickle.loads(pickle.dumps(ring)), lambda: repr(chain),
                lambda: copy.deepcopy(chain), lambda: type("T", (Node,), {{}})(1),
                lambda: tain.convert([child])[0].note, lambda: tain.convert({{"a": [child]}}),
            ):
                try:
                    deeper(depth, f)
                    results.add("done")
                except (RecursionError, pickle.PicklingError):  # pickle's word for it
                    results.add("too deep")
        sys.setrecursionlimit(1000)
        assert results == {{"done", "too deep"}}, results
        assert copy.copy(child).next.value == 2 and child.note == [3]
        """)


@pytest.mark.bad_input
def test_an_error_in_the_middle_leaves_nothing_behind(again) -> None:
    class Fails(Node):
        def __reduce__(self) -> tuple[Any, ...]:
            raise ZeroDivisionError

    chain = get("make_chain")(100)
    at = chain
    for _ in range(60):
        at = at.next
    at.payload = Fails()
    with pytest.raises(ZeroDivisionError):
        again(chain)
    at.payload = None
    assert get("chain_length")(again(chain)) == 100
    assert get("chain_length")(again(at)) == 40


# ---------------------------------------------------------------- lies


class Lies(Node):
    """Its __reduce__ gives what it is told."""

    told: Any = None

    def __reduce__(self) -> Any:
        return type(self).told


ECHO = get("echo")
REBUILD, ARGS, STATE = (lambda node: (*node.__reduce__(), None)[:3])(Node(7))


class Elsewhere(Point):
    """Its __new__ returns what it is told."""

    told: Any = None

    def __new__(cls, *args: Any) -> Any:
        return cls.told if cls.told is not None else super().__new__(cls)


class Below(Elsewhere):
    told: Any = None


# What __new__ returns, and how an error names it.
NOT_ONE = {
    "a function": (ECHO, "Function (<Function testing.echo(x: Any) -> Any>)"),
    "another type": (
        Node(3),
        "Node (testing.Node(value=3, next=None, items=[], payload=None, cal...)",
    ),
    "the generated class": (Point(3), "Point (testing.Point(x=3.0, y=0.0))"),
    "an int": (3, "int (3)"),
    "a class": (Elsewhere, f"type ({Elsewhere!r})"),
    "an array": (tain.Array([1]), "Array ([1])"),
}


@pytest.mark.bad_input
@pytest.mark.parametrize("case", NOT_ONE)
def test_new_that_returns_something_else(monkeypatch: Any, case: str) -> None:
    given, name = NOT_ONE[case]
    point = Elsewhere(1, 2)
    pickled = pickle.dumps(point)
    before = repr(given)
    monkeypatch.setattr(Elsewhere, "told", given)
    text = f"Elsewhere.__new__(): expected an instance of Elsewhere, got {name}"
    for make in (
        lambda: REBUILD(Elsewhere, {"x": 5.0, "y": 6.0}),
        lambda: copy.copy(point),
        lambda: copy.deepcopy(point),
        lambda: pickle.loads(pickled),
    ):
        with raises(TypeError, text):
            make()
    with pytest.raises((TypeError, AttributeError)):
        point.__replace__(x=3.0)
    assert repr(given) == before
    assert ECHO(point) is point


@pytest.mark.bad_input
def test_new_that_returns_an_instance_there_is(monkeypatch: Any) -> None:
    known, child = Elsewhere(1, 2), Below(3, 4)
    monkeypatch.setattr(Elsewhere, "told", known)
    assert REBUILD(Elsewhere, {"x": 5.0, "y": 6.0}) is known
    assert (known.x, known.y) == (5.0, 6.0)
    monkeypatch.setattr(Elsewhere, "told", child)
    assert REBUILD(Elsewhere, {"x": 7.0, "y": 8.0}) is child
    assert (child.x, type(child)) == (7.0, Below)
    with raises(TypeError, in_use_text("Below._rebuild()")):
        get("apply")(lambda used: REBUILD(Elsewhere, {"x": 5.0, "y": 6.0}), child)
    assert ECHO(child) is child


@pytest.mark.bad_input
def test_getstate_that_replaces_the_object() -> None:
    class Hasty(Node):
        def __getstate__(self) -> Any:
            self.__init__(9)
            return None

    for _ in range(100):
        hasty = Hasty(1)
        hasty.next = Node(2)
        rebuilt = hasty.__reduce__()
        assert rebuilt[0] is REBUILD
        assert hasty.value == 9


# What is told in the place of a reduction, the error, and what its text holds. The words are
# those of pickle and nanobind.
LIES_TO_PICKLE: list[tuple[Any, type[Exception], str]] = [
    (5, Exception, "must return a string or tuple"),
    ((), Exception, "tuple returned by __reduce__ must contain 2 through 6 elements"),
    ((REBUILD, ()), TypeError, "_rebuild"),
    ((REBUILD, (Node,)), TypeError, "_rebuild"),
    ((REBUILD, (Node, 5)), TypeError, "_rebuild"),
    ((REBUILD, (Node, {}), ({}, {"a": 1})), AttributeError, "'a'"),
    ((Point.__new__, (Node,)), TypeError, "is not a subtype"),
]
NOT_GIVEN = "testing.Node.__setstate__(): expected what __reduce__ gave, got"
LIES: list[tuple[Any, type[Exception], str]] = [  # (what is told, error, text)
    (
        (REBUILD, (int, {})),
        TypeError,
        "_rebuild(): expected a class of a registered type, got type (<class 'int'>)",
    ),
    ((REBUILD, (Holder, {})), TypeError, "testing.Holder() missing argument 'point'"),
    ((REBUILD, (Node, {"value": "x"})), TypeError, "Node.value: expected int, got str ('x')"),
    (
        (REBUILD, (Node, {"value": 2**70})),
        OverflowError,
        f"Node.value: expected int in {-(2**63)}..{2**63 - 1}, got {2**70}",
    ),
    ((REBUILD, (Node, {5: 1})), TypeError, "testing.Node has no field '5' that the pickle holds"),
    ((REBUILD, (Node, {}), 5), TypeError, f"{NOT_GIVEN} int (5)"),
    ((REBUILD, (Node, {}), ()), TypeError, f"{NOT_GIVEN} tuple (())"),
    ((REBUILD, (Node, {}), (5, None)), TypeError, f"{NOT_GIVEN} tuple ((5, None))"),
    (
        (REBUILD, (Node, {}), ({}, 5)),
        TypeError,
        "tain.types.testing.Node has a __getstate__ of its own, so it needs a __setstate__ too",
    ),
    (
        (REBUILD, (Node, {}), ([(5, {}, None)], {}, None)),
        TypeError,
        "the pickled state is not what __reduce__ gave",
    ),
    (
        (REBUILD, (Node, {}), ([(Point(1), {"next": 1}, None)], {}, None)),
        TypeError,
        "testing.Point has no field 'next' that the pickle holds",
    ),
    (
        (REBUILD, (Node, {}), ([(Point(1), 5, None)], {}, None)),
        TypeError,
        "the pickled state is not what __reduce__ gave",
    ),
    ((Node.__new__, (Node,), ({}, None)), ValueError, empty_text("tain.types.testing.Node")),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("told", "error", "text"), LIES)
def test_a_reduce_that_lies(told: Any, error: type[Exception], text: str, monkeypatch) -> None:
    monkeypatch.setattr(Lies, "told", told)
    with raises(error, text):
        by_pickle(Lies())
    with pytest.raises((error, TypeError)):
        copy.deepcopy(Lies())


@pytest.mark.bad_input
@pytest.mark.parametrize(("told", "error", "text"), LIES_TO_PICKLE)
def test_a_reduce_that_pickle_refuses(
    told: Any, error: type[Exception], text: str, monkeypatch
) -> None:
    monkeypatch.setattr(Lies, "told", told)
    with pytest.raises(error, match=text):
        by_pickle(Lies())
    with pytest.raises((error, TypeError)):
        copy.deepcopy(Lies())


@pytest.mark.bad_input
def test_a_reduce_of_another_object(monkeypatch) -> None:
    monkeypatch.setattr(Lies, "told", (REBUILD, (Node, {"value": 5})))
    assert by_pickle(Lies()).value == 5
    monkeypatch.setattr(Lies, "told", (list, ()))
    assert by_pickle(Lies()) == []
    with raises(TypeError, "testing.Holder: argument point: expected testing.Point, got list ([])"):
        Holder(copy.deepcopy(Lies()))


@pytest.mark.bad_input
def test_a_list_that_is_cleared_while_it_is_restored() -> None:
    class Clears(Node):
        def __setattr__(self, name: str, value: object) -> None:
            items.clear()

    items = [(Clears(i), {}, (None, {"x": 1})) for i in range(100)]
    Node(1).__setstate__((items, {}, None))  # type: ignore[attr-defined]
    assert items == []
    items = [(Clears(i), {}, (None, {"x": 1})) for i in range(100)]
    made = tain._core._rebuild_after(items, Node, {"value": 3})
    assert (made.value, items) == (3, [])


@pytest.mark.bad_input
@reads_the_original
def test_a_dict_that_changes_while_it_is_restored() -> None:
    class Grows(Node):
        def __setattr__(self, name: str, value: object) -> None:
            state[name * 2] = value

    class Empties(Node):
        def __setattr__(self, name: str, value: object) -> None:
            state.clear()

    for cls in (Grows, Empties):
        state = {f"a{i}": i for i in range(100)}
        with raises(RuntimeError, "dictionary changed size during iteration"):
            cls(1).__setstate__(({}, (None, state)))  # type: ignore[attr-defined]


@pytest.mark.bad_input
def test_a_state_that_answers_twice() -> None:
    class Lies(tuple):  # type: ignore[type-arg]
        def __getitem__(self, index: Any) -> Any:
            answers.append(index)
            return {} if len(answers) < 2 else 1

    answers: list[Any] = []
    with pytest.raises(TypeError, match="expected what __reduce__ gave, got Lies"):
        Node(1).__setstate__(Lies(({}, None)))  # type: ignore[attr-defined]
    assert answers == []
