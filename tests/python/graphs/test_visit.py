# SPDX-License-Identifier: Apache-2.0
"""tain.visit, tain.rewrite and functors of C++: orders, shared nodes, depth, cycles, bad input."""

from __future__ import annotations

import gc
import itertools
import threading
from typing import Any

import pytest
from errors import raises
from tain.types.testing import Node, StdEdges
from tain.types.testing.graph import Add, Call, Constant, Mul, Square, Var

import tain

DEEP = 1_000_000


def call(name: str, *args: Any) -> Any:
    return tain.get_global_func(f"testing.graph.{name}")(*args)


def names(graph: Any, order: Any = "pre") -> list[str]:
    found: list[str] = []
    tain.visit(graph, lambda node: found.append(type(node).__name__), order=order)
    return found


def doubled(node: Any) -> Any:
    return Constant(2 * node.value) if isinstance(node, Constant) else None


def text(node: Any) -> str:
    if isinstance(node, Constant):
        return f"{node.value:g}"
    if isinstance(node, Var):
        return str(node.name)
    if isinstance(node, Call):
        options = "".join(f", {key}={text(value)}" for key, value in node.options.items())
        return f"{node.name}({', '.join(map(text, node.args))}{options})"
    return f"({text(node.lhs)} {'+' if isinstance(node, Add) else '*'} {text(node.rhs)})"


def sample() -> Any:
    x = Var("x")
    return (Constant(1) + Constant(2)) * x + Call("f", [Constant(3), x], {"a": Constant(4)})


# ---------------------------------------------------------------- visit


def test_a_visit_calls_the_function_once_for_each_object() -> None:
    graph = sample()
    pre = ["Add", "Mul", "Add", "Constant", "Constant", "Var", "Call", "Array", "Constant", "Map"]
    assert names(graph) == [*pre, "Constant"]
    post = ["Constant", "Constant", "Add", "Var", "Mul", "Constant", "Array", "Constant", "Map"]
    assert names(graph, "post") == [*post, "Call", "Add"]
    seen: list[Any] = []
    tain.visit(graph, seen.append)
    assert seen[0] is graph
    assert seen[5] is graph.lhs.rhs


def test_false_leaves_out_what_is_below() -> None:
    found: list[str] = []

    def see(node: Any) -> bool:
        found.append(type(node).__name__)
        return not isinstance(node, Mul)

    tain.visit(sample(), see)
    assert found == ["Add", "Mul", "Call", "Array", "Constant", "Var", "Map", "Constant"]


def test_what_is_visited_of_other_values() -> None:
    assert names(3) == names("text") == names(None) == names(b"bytes") == []
    assert names([1, "a" * 100, [2], {"k": (3,)}]) == ["Array", "Array", "Map", "Array"]
    assert names(tain.convert([lambda: 1])) == ["Array", "Function"]
    edges = StdEdges()
    edges.vector = [StdEdges(), StdEdges()]
    assert names(edges).count("StdEdges") == 3


def test_a_cycle_is_visited_once() -> None:
    a, b = Node(1), Node(2)
    a.next, b.next = b, a
    a.items.append(a)
    assert names(a) == ["Node", "Node", "List", "List"]
    assert sorted(names(a, "post")) == ["List", "List", "Node", "Node"]
    a.next = b.next = None
    a.items.clear()


def test_chains_of_a_million() -> None:
    deep = call("deep_sum", DEEP)
    count = 0

    def see(node: Any) -> None:
        nonlocal count
        count += 1

    tain.visit(deep, see)
    assert count == 2 * DEEP + 1
    assert list(call("count", deep)) == [2 * DEEP + 1, DEEP]
    assert list(call("count", deep, True)) == [2 * DEEP + 1, DEEP]
    assert call("identity", deep) is deep
    assert list(call("count", call("add_to_constants", deep, 1.0))) == [2 * DEEP + 1, DEEP]
    assert tain.rewrite(deep, lambda node: None) is deep
    assert call("fold_deep", deep).value == DEEP


def test_overrides_that_recurse_stop_before_the_stack_ends() -> None:
    deep = call("deep_sum", DEEP)
    for function, *more in (["fold"], ["count_recursively"], ["evaluate", 1.0]):
        with raises(RecursionError, "visit: the C stack of this thread is nearly used up"):
            call(function, deep, *more)
    small = call("deep_sum", 200)
    assert call("fold", small).value == 200
    assert call("count_recursively", small) == 401


def test_a_deep_diamond_is_linear() -> None:
    node = Constant(1)
    for _ in range(200):
        node = Add(node, node)
    assert list(call("count", node)) == [201, 200]
    assert names(node).count("Add") == 200
    assert call("fold", node).value == 2.0**200
    calls: list[int] = []
    tain.rewrite(node, lambda n: calls.append(1))
    assert len(calls) == 201


@pytest.mark.bad_input
def test_visits_refuse() -> None:
    function: Any = None
    with raises(TypeError, "visit: argument fn: expected a callable, got None"):
        tain.visit(sample(), function)
    order: Any = "in"
    with raises(ValueError, "visit: argument order: expected 'pre' or 'post', got str ('in')"):
        tain.visit(sample(), print, order=order)
    order = 1
    with raises(TypeError, "visit: argument order: expected str, got int (1)"):
        tain.visit(sample(), print, order=order)
    with raises(TypeError, "rewrite: argument fn: expected a callable, got int (1)"):
        tain.rewrite(sample(), 1)  # type: ignore[arg-type]


@pytest.mark.bad_input
@pytest.mark.parametrize("order", ["pre", "post"])
def test_exceptions_of_the_function_come_out(order: Any) -> None:
    error = KeyError("mine")

    def fail(node: Any) -> None:
        raise error

    for walk in (
        lambda: tain.visit(sample(), fail, order=order),
        lambda: call("trace", sample(), fail),
    ):
        with pytest.raises(KeyError) as caught:
            walk()
        assert caught.value is error


@pytest.mark.bad_input
def test_a_visit_that_deletes_what_it_visits() -> None:
    def chain() -> Any:
        head = Node(0)
        for i in range(50):
            node = Node(i)
            node.next, node.payload = head, Node(100 + i)
            node.items.append(Node(200 + i))
            head = node
        return head

    visits = itertools.count()

    def cut(node: Any) -> None:
        if isinstance(node, Node):
            node.next = node.payload = None
            node.items.clear()
        if next(visits) % 10 == 0:
            gc.collect()

    for order in ("pre", "post"):
        tain.visit(chain(), cut, order=order)  # type: ignore[arg-type]
    root = [chain()]
    tain.visit(root, lambda node: root.clear())

    def cut_root(node: Any) -> None:
        for one in list(head):
            one.next = one.payload = None

    head = tain.List([chain(), chain()])
    tain.visit(head, cut_root)

    def shorten(node: Any) -> None:
        if isinstance(node, tain.List):
            head.clear()

    tain.visit(head, shorten)
    assert len(head) == 0


@pytest.mark.bad_input
def test_a_map_that_changes_meanwhile() -> None:
    table = tain.Dict({"a": Node(1), "b": Node(2)})

    def grow(node: Any) -> None:
        if isinstance(node, Node):
            table[f"c{len(table)}"] = 1

    with raises(RuntimeError, "the Map or Dict changed while it was being read"):
        tain.visit(table, grow)


def test_visits_nest() -> None:
    counts: list[int] = []
    tain.visit(sample(), lambda node: counts.append(len(names(node))))
    assert counts[0] == len(counts) == 11


# ---------------------------------------------------------------- rewrite


def test_a_rewrite_keeps_what_does_not_change() -> None:
    graph = sample()
    assert tain.rewrite(graph, lambda node: None) is graph
    assert tain.rewrite(graph, lambda node: node) is graph
    made = tain.rewrite(graph, lambda n: Constant(9) if n is graph.rhs.options["a"] else None)
    assert text(made) == "(((1 + 2) * x) + f(3, x, a=9))"
    assert made is not graph
    assert made.lhs is graph.lhs
    assert made.rhs.args[1] is graph.rhs.args[1]
    assert text(graph) == "(((1 + 2) * x) + f(3, x, a=4))"


def test_nodes_have_their_new_parts() -> None:
    def fold(node: Any) -> Any:
        if not isinstance(node, Add):
            return None
        constants = [side.value for side in (node.lhs, node.rhs) if isinstance(side, Constant)]
        return Constant(sum(constants)) if len(constants) == 2 else None

    graph = ((Constant(1) + Constant(2)) + Constant(3)) * Var("x")
    assert text(tain.rewrite(graph, fold)) == "(6 * x)"


def test_a_shared_node_is_rewritten_once() -> None:
    shared = Constant(1) + Var("x")
    made = tain.rewrite(shared * shared, doubled)
    assert made.lhs is made.rhs
    assert text(made) == "((2 + x) * (2 + x))"


def test_types_without_a_constructor_for_their_fields() -> None:
    assert text(tain.rewrite(Square(Constant(2)), doubled)) == "(4 * 4)"
    assert isinstance(tain.rewrite(Square(Constant(2)), doubled), Square)
    assert text(tain.rewrite(Mul(Constant(2), Var("y")), doubled)) == "(4 * y)"


def test_python_classes_keep_their_state() -> None:
    class Noted(Add):
        note = ""

    node = Noted(Constant(1), Var("x"))
    node.note = "kept"
    made = tain.rewrite(node * Var("y"), doubled)
    assert type(made.lhs) is Noted
    assert made.lhs.note == "kept"
    assert made.lhs is not node


def test_containers_are_rebuilt() -> None:
    graph = tain.convert({"a": [Constant(1)], "b": {"c": Constant(2)}, "d": 3})
    made = tain.rewrite(graph, doubled)
    assert [text(made["a"][0]), text(made["b"]["c"]), made["d"]] == ["2", "4", 3]
    assert list(made) == ["a", "b", "d"]
    cells = tain.List([Constant(1), "x", Constant(2)])
    changed = tain.rewrite(cells, doubled)
    assert isinstance(changed, tain.List)
    assert [text(changed[0]), changed[1], text(changed[2])] == ["2", "x", "4"]
    assert text(cells[0]) == "1"
    keys = tain.Dict({Var("k"): 1})
    (key,) = tain.rewrite(keys, lambda node: Var("q") if isinstance(node, Var) else None)
    assert key.name == "q"


def test_what_belongs_to_the_walk_is_changed_in_place() -> None:
    graph = sample()
    handle, inner = graph.__chandle__(), graph.lhs.lhs.__chandle__()
    made = tain.rewrite(graph._move(), doubled)
    assert made.__chandle__() == handle
    assert made.lhs.lhs.__chandle__() == inner
    assert text(made) == "(((2 + 4) * x) + f(6, x, a=8))"
    kept = made.lhs  # Python holds it, so it stays as it is
    again = call("add_to_constants", made._move(), 1.0)
    assert again.__chandle__() == handle
    assert again.lhs is not kept
    assert text(kept) == "((2 + 4) * x)"
    assert text(again) == "(((3 + 5) * x) + f(7, x, a=9))"


def test_what_python_takes_during_a_rewrite_stays() -> None:
    kept: list[Any] = []

    def keep(node: Any) -> Any:
        if isinstance(node, Add):
            kept.append((node, text(node)))
        return doubled(node)

    once = tain.rewrite((sample() * Var("y"))._move(), keep)
    tain.rewrite(once._move(), doubled)
    assert len(kept) == 2
    assert all(text(node) == before for node, before in kept)


def test_a_cycle_can_be_rewritten_if_it_stays() -> None:
    a, b = Node(1), Node(2)
    a.next, b.next, b.payload = b, a, Constant(1)
    assert tain.rewrite(a, lambda node: None) is a
    with raises(
        ValueError, "mutate: testing.Node is part of a cycle, so nothing can take its place"
    ):
        tain.rewrite(a, doubled)
    assert b.payload.value == 1
    a.next = b.next = None


@pytest.mark.bad_input
def test_results_that_do_not_fit() -> None:
    def junk(node: Any) -> Any:
        return 5 if isinstance(node, Constant) else None

    with pytest.raises(TypeError, match=r"testing\.graph\.\w+\.lhs: expected testing\.graph\.Expr"):
        tain.rewrite(Constant(1) + Var("x"), junk)
    for graph in (Call("f", [Constant(1)]), Call("f", [Constant(1)])._move()):
        with pytest.raises(TypeError, match=r"Call\.args"):
            tain.rewrite(graph, junk)
    assert tain.rewrite(Constant(1), lambda node: 5) == 5


@pytest.mark.bad_input
def test_a_rewrite_that_changes_the_graph_meanwhile() -> None:
    chain = Node(0)
    for i in range(20):
        node = Node(i)
        node.next = chain
        node.items.append(Node(i))
        chain = node

    def cut(node: Any) -> Any:
        if isinstance(node, Node):
            node.next = None
            node.items.clear()
            gc.collect()
            return Node(node.value + 1)
        return None

    assert tain.rewrite(chain, cut).value == 20
    cells = tain.List([Constant(1), Constant(2), Constant(3)])

    def shorten(node: Any) -> Any:
        cells.clear()
        return doubled(node)

    with raises(RuntimeError, "mutate: the sequence became shorter during the walk"):
        tain.rewrite(cells, shorten)


# ---------------------------------------------------------------- functors


def test_the_constant_folder() -> None:
    graph = (Constant(1) + Constant(2)) * (Constant(3) * Constant(4)) + Var("x")
    for fold in ("fold", "fold_deep"):
        assert text(call(fold, graph)) == "(36 + x)"
    unchanged = Var("x") + Constant(1)
    assert call("fold", unchanged) is unchanged
    graph = Call("f", [Constant(1) + Constant(2)], {"o": Constant(2) * Constant(3)}, Var("z"))
    assert text(call("fold", graph)) == "f(3, o=6)"
    assert text(call("fold", Square(Constant(3)))) == "9"  # as its parent, Mul


def test_functors_with_arguments() -> None:
    assert call("evaluate", (Var("x") + Constant(1)) * Var("x"), 3.0) == 12
    assert call("evaluate", Square(Var("x")), 3.0) == 9
    with raises(TypeError, "the functor has no VisitExpr_ for testing.graph.Call"):
        call("evaluate", Call("f"), 1.0)


def test_orders_of_a_visitor() -> None:
    def trace(function: str) -> list[str]:
        found: list[str] = []
        call(function, sample(), lambda node: found.append(text(node)))
        return found

    call_text = "f(3, x, a=4)"
    assert trace("trace") == [
        f"(((1 + 2) * x) + {call_text})", "((1 + 2) * x)", "(1 + 2)", "1", "2", "x", call_text,
        "3", "4",
    ]  # fmt: skip
    assert trace("trace_post_order") == [
        "1", "2", "(1 + 2)", "x", "((1 + 2) * x)", "3", "4", call_text,
        f"(((1 + 2) * x) + {call_text})",
    ]  # fmt: skip


def test_many_threads_learn_types() -> None:
    results: list[str] = []

    def run() -> None:
        results.extend(text(call("fold", sample())) for _ in range(20))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == ["((3 * x) + f(3, x, a=4))"] * 80


def test_hooks_of_types() -> None:
    hooked = tain.get_class("testing.graph.Hooked")
    node = hooked(Constant(1), Constant(2))
    assert names(node) == ["Hooked", "Constant"]
    seen: list[Any] = []
    tain.visit(node, seen.append)
    assert seen[1].value == 1  # its `__s_visit__` leaves the other out
    made = call("add_to_constants", node, 10.0)
    assert [made.shown.value, made.hidden.value] == [11, 2]


@pytest.mark.parametrize("order", ["pre", "post"])
def test_nodes_without_parts(order: Any) -> None:
    """Functions, tensors and shapes are nodes; they may also be the root."""
    leaves = [tain.Function(len), tain.tensor([1.0]), tain.Shape((1, 2))]
    for leaf in leaves:
        found: list[Any] = []
        tain.visit(leaf, found.append, order=order)
        assert [type(node) for node in found] == [type(leaf)]
        assert tain.rewrite(leaf, lambda node: node) is leaf
    counted: list[Any] = []
    shared = tain.Array([*leaves, {"again": leaves[0]}, 2**80, "a text", b"some bytes", object()])
    tain.visit(shared, counted.append, order=order)
    kinds = ["Array", "Map", *(type(leaf).__name__ for leaf in leaves)]
    assert sorted(type(node).__name__ for node in counted) == sorted(kinds)
