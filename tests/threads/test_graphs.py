# SPDX-License-Identifier: Apache-2.0
"""Operations on graphs that other threads read, change and collect."""

from __future__ import annotations

import contextlib
import copy
import gc
import io
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from racing import TURNS, race
from tain.types.testing.graph import Add, Call, Constant, Var
from tain.types.testing.save import Hooked

import tain
from tain import transform
from tain.testing import Node

SAVES: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = [
    (tain.save_json, tain.load_json),
    (tain.save_binary, tain.load_binary),
]


@tain.py_class("racing_graphs.Pair")
class Pair:
    """Is saved, loaded, compared and hashed by code of Python."""

    x: int
    y: int
    looks = tain.List([1, 2, 3])

    def look(self) -> None:
        """Reads a container while the operation goes on."""
        assert self.looks[1] == 2

    def __data_to_json__(self) -> object:
        self.look()
        return [self.x, self.y]

    @classmethod
    def __data_from_json__(cls, data: Any) -> Pair:
        assert cls.looks[1] == 2
        return cls(data[0], data[1])

    def __s_equal__(self, other: Any, compare: Any) -> bool:
        self.look()
        return bool(compare(self.x, other.x, False, "x") and compare(self.y, other.y, False, "y"))

    def __s_hash__(self, init: int, function: Any) -> int:
        self.look()
        return int(init) + int(function(self.x, 0, False)) + int(function(self.y, 1, False))


class Named(Node):
    """Its instances have attributes, which copies and pickles keep."""

    def __init__(self, value: int = 0) -> None:
        super().__init__(value)
        self.name = f"n{value}"
        self.others: list[Any] = []


def sample() -> Any:
    return (Constant(1) + Constant(2)) * Var("x") + Call("f", [Constant(3), Constant(4)])


def doubled(node: Any) -> Any:
    return Constant(2 * node.value) if isinstance(node, Constant) else None


def sum_of(graph: Any) -> float:
    values: list[float] = []
    tain.visit(graph, lambda node: values.append(getattr(node, "value", 0)))
    return sum(values)


# ---------------------------------------------------------------- graphs that nobody changes


@pytest.mark.parametrize("threads", [2, 8])
@pytest.mark.parametrize(("save", "load"), SAVES)
def test_graphs_with_hooks_are_saved_and_loaded(save: Any, load: Any, threads: int) -> None:
    graph = tain.Array([part for i in range(10) for part in (Pair(i, -i), Hooked(i))])
    data = save(graph)

    def read() -> None:
        again = load(data)
        assert [part.y for part in again[::2]] == [-i for i in range(10)]
        assert [part.count for part in again[1::2]] == list(range(10))

    def both() -> None:
        assert save(graph) == data

    def fail() -> None:
        half = data[: len(data) // 2]
        with pytest.raises(ValueError, match=f"^{load.__name__}: "):
            load(half)

    race(read, both, gc.collect, fail, threads=threads, turns=TURNS // 20)


@pytest.mark.parametrize("threads", [2, 16])
def test_graphs_with_hooks_are_compared_and_hashed(threads: int) -> None:
    def make(last: int) -> Any:
        return tain.Array([*(Pair(i, i) for i in range(5)), Pair(5, last)])

    one, same, other = make(1), make(1), make(2)
    code = tain.structural_hash(one)
    table = {tain.StructuralKey(one): "found"}

    def compare() -> None:
        assert tain.structural_equal(one, same)
        assert not tain.structural_equal(one, other)

    def hashes() -> None:
        assert tain.structural_hash(same) == code != tain.structural_hash(other)

    def keys() -> None:
        assert table[tain.StructuralKey(same)] == "found"
        assert tain.StructuralKey(other) not in table

    def mismatch() -> None:
        found = tain.first_mismatch(one, other)
        assert found is not None and str(found.path_a) == "<root>[5].y"

    race(compare, hashes, keys, mismatch, threads=threads, turns=TURNS // 20)


@pytest.mark.parametrize("threads", [2, 8])
def test_graphs_are_visited_and_rewritten(threads: int) -> None:
    graph = sample()

    def visit() -> None:
        assert sum_of(graph) == 10
        kinds: list[str] = []
        tain.visit(graph, lambda node: kinds.append(type(node).__name__), order="post")
        assert len(kinds) == 11 and kinds[-1] == "Add"

    def rewrite() -> None:
        made = tain.rewrite(graph, doubled)
        assert sum_of(made) == 20 and made is not graph
        assert tain.rewrite(graph, lambda node: None) is graph

    def in_place() -> None:
        made = sample()
        made = tain.rewrite(made._move(), doubled)
        assert sum_of(made) == 20

    def fail() -> None:
        with pytest.raises(KeyError, match="here"):
            tain.visit(graph, lambda node: {}["here"])

    race(visit, rewrite, in_place, fail, gc.collect, threads=threads, turns=TURNS // 20)
    assert sum_of(graph) == 10


class Twice(transform.Mutator):  # type: ignore[misc, name-defined]
    def visit_Constant(self, node: Any) -> Any:
        return Constant(2 * node.value)


class Sum(transform.Visitor):  # type: ignore[misc, name-defined]
    def __init__(self) -> None:
        super().__init__()
        self.sum = 0.0

    def visit_Constant(self, node: Any) -> None:
        self.sum += node.value


def test_visitors_and_passes() -> None:
    graph = sample()
    fold = transform.get_pass("testing.FoldConstant")

    def visitor() -> None:
        own = Sum()
        own.visit(graph)
        assert own.sum == 10

    def passes() -> None:
        with transform.PassContext(opt_level=3) as context:
            assert transform.PassContext.current() is context
            made = transform.Sequential([fold])(graph)
            assert made.lhs.lhs.value == 3

    def mutator() -> None:
        assert sum_of(Twice().visit(graph)) == 20

    race(visitor, passes, mutator, visitor, turns=TURNS // 20)
    assert transform.PassContext.current().opt_level == 2


def test_threads_share_a_visitor() -> None:
    graph, shared = sample(), Twice()
    outcomes: list[str] = []

    def visit() -> None:
        try:
            assert sum_of(shared.visit(graph)) == 20
            outcomes.append("done")
        except RuntimeError as error:
            outcomes.append(str(error))

    race(visit, turns=TURNS // 10)
    busy = "visit: the visitor is at work in another thread"
    assert "done" in outcomes and set(outcomes) <= {"done", busy}
    assert sum_of(shared.visit(graph)) == 20


@pytest.mark.parametrize("threads", [2, 8])
def test_subclass_instances_are_copied_and_pickled(threads: int) -> None:
    root = Named(1)
    root.next, root.payload = Named(2), tain.Array([Named(3), root])
    root.others = [root.next, root]
    stored = pickle.dumps(root)

    def check(again: Any) -> None:
        assert type(again) is Named and again is not root and again.name == "n1"
        assert again.others[0] is again.next and again.others[1] is again
        assert again.payload[0].name == "n3" and again.payload[1] is again
        again.next = again.payload = None  # the collector need not find these cycles
        again.others.clear()

    def deep() -> None:
        check(copy.deepcopy(root))

    def load() -> None:
        check(pickle.loads(stored))

    def dump() -> None:
        assert len(pickle.dumps(root)) == len(stored)

    race(deep, load, dump, gc.collect, threads=threads, turns=TURNS // 20)
    root.payload = None


def test_graphs_are_shown() -> None:
    graph, other = sample(), tain.rewrite(sample(), doubled)
    shown = {
        show: show(graph)
        for show in (tain.to_text, tain.to_dot, tain.to_mermaid, tain.to_html, repr, str)
    }
    assert "Constant" in shown[tain.to_text]

    def show() -> None:
        for how, text in shown.items():
            assert how(graph) == text

    def diff() -> None:
        assert len(tain.diff(graph, other).changes) == 4
        assert not tain.diff(graph, graph).changes

    def prints() -> None:
        file = io.StringIO()
        tain.show(graph, file=file)
        assert file.getvalue() == shown[tain.to_text] + "\n"

    race(show, diff, prints, gc.collect, turns=TURNS // 100)


# ---------------------------------------------------------------- graphs that change


def changing() -> tuple[Named, Callable[[], None]]:
    """Return a graph, and what changes it: fields, a list, a dict, attributes."""
    root, numbers = Named(0), itertools.count(1)
    root.items = tain.List([Named(i) for i in range(10)])
    root.payload = tain.Dict({"a": Node(1)})
    table = root.payload

    def change() -> None:
        i = next(numbers)
        root.items.append(Named(i))
        root.items.pop(0)
        root.items[i % 5] = Named(-i)
        root.next = None if i % 3 == 0 else Named(i)
        table[f"k{i % 7}"] = root.next
        table.pop(f"k{(i + 3) % 7}", None)
        root.name = f"n{i}"
        root.others = [root.next]

    return root, change


def is_a_state(again: Any) -> bool:
    """Whether all parts are there, whatever their values."""
    return (
        type(again) in (Named, Node)
        and 8 <= len(again.items) <= 12
        and all(isinstance(part, Node) for part in again.items)
        and (again.next is None or isinstance(again.next, Node))
        and all(part is None or isinstance(part, Node) for part in again.payload.values())
    )


def refusable(look: Callable[[], Any]) -> Callable[[], None]:
    """Return the task without the exception that says that something has changed."""

    def run() -> None:
        with contextlib.suppress(RuntimeError):
            look()

    return run


def json_of(root: Any) -> None:
    assert is_a_state(tain.load_json(tain.save_json(root, subclasses="as_parent")))


def binary_of(root: Any) -> None:
    assert is_a_state(tain.load_binary(tain.save_binary(root, subclasses="as_parent")))


def deep_copy_of(root: Any) -> None:
    assert is_a_state(copy.deepcopy(root))


def pickle_of(root: Any) -> None:
    again = pickle.loads(pickle.dumps(root))
    assert is_a_state(again) and again.name.startswith("n")


def comparisons_of(root: Any) -> None:
    assert tain.structural_equal(root, root) in (True, False)
    found = tain.first_mismatch(root, Node(0))
    assert found is None or str(found.path_a).startswith("<root>")


def hash_of(root: Any) -> None:
    assert isinstance(tain.structural_hash(root), int)


def visit_of(root: Any) -> None:
    kinds: list[type] = []
    tain.visit(root, lambda node: kinds.append(type(node)))
    assert set(kinds) <= {Named, Node, tain.List, tain.Dict} and kinds[0] is Named


def rewrite_of(root: Any) -> None:
    made = tain.rewrite(root, lambda node: Node(7) if type(node) is Named else None)
    assert type(made) is Node and made.value == 7


def texts_of(root: Any) -> None:
    assert "items" in repr(root)
    assert tain.to_text(root).startswith("Named")


def pages_of(root: Any) -> None:
    assert "Named" in tain.to_dot(root)
    assert "Named" in tain.to_html(root)
    tain.diff(root, Named(0))


@pytest.mark.parametrize("threads", [2, 8])
@pytest.mark.parametrize(
    "look",
    [json_of, binary_of, deep_copy_of, pickle_of, comparisons_of, hash_of, visit_of, rewrite_of,
     texts_of, pages_of],
)  # fmt: skip
def test_an_operation_on_a_graph_that_changes(look: Callable[[Any], None], threads: int) -> None:
    root, change = changing()
    task = refusable(lambda: look(root))
    turns = TURNS // 10 if threads == 2 else TURNS // 40
    race(task, change, task, gc.collect, threads=threads, turns=turns)
    look(root)  # nothing remains of what was begun and refused


def test_rewrites_in_place_of_what_others_read() -> None:
    """A walk owns its graph unless another thread holds a part, which then stays as it is."""
    parts: list[Any] = [sample().lhs]

    def rewrite() -> None:
        graph = sample()
        parts[0] = graph.lhs
        made = tain.rewrite(graph._move(), doubled)
        assert sum_of(made) == 20

    def read() -> None:
        part = parts[0]
        assert sum_of(part) == 3 and isinstance(part.lhs, Add)

    race(rewrite, read, turns=TURNS // 10)
