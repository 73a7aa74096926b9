# SPDX-License-Identifier: Apache-2.0
"""tain.transform: visitors and mutators in Python, passes of both languages, contexts, errors."""

from __future__ import annotations

import io
import threading
from typing import Any

import pytest
from errors import raises
from tain.types.testing.graph import Add, Call, Constant, Square, Var

import tain
from tain import transform

DEEP = 1_000_000


def call(name: str, *args: Any) -> Any:
    return tain.get_global_func(f"testing.graph.{name}")(*args)


def sample() -> Any:
    return (Constant(1) + Constant(2)) * Var("x") + Call("f", [Constant(3), Constant(4)])


def plus(by: float) -> Any:
    """A pass that adds to all constants."""
    return transform.create_pass(name=f"plus{by}")(
        lambda graph: tain.rewrite(
            graph, lambda node: Constant(node.value + by) if isinstance(node, Constant) else None
        )
    )


# ---------------------------------------------------------------- visitors


def test_methods_by_the_name_of_the_type() -> None:
    class Finder(transform.Visitor):
        def __init__(self) -> None:
            super().__init__()
            self.found: list[str] = []

        def visit_Constant(self, node: Any) -> None:
            self.found.append(f"{node.value:g}")

        def visit_Mul(self, node: Any) -> None:
            self.found.append("*")
            self.generic_visit(node)

        def visit_Array(self, node: Any) -> None:
            self.found.append(f"{len(node)} arguments")
            self.visit(node[1])

    finder = Finder()
    finder.visit(sample())
    assert finder.found == ["*", "1", "2", "2 arguments", "4"]
    finder.found.clear()
    finder.visit(Square(Constant(5)))  # a type without a method goes to that of its parent
    call("visit_with", finder, Constant(6))  # C++ calls it
    assert finder.found == ["*", "5", "6"]


def test_generic_visit_and_visit_can_be_overridden() -> None:
    class Generic(transform.Visitor):
        def generic_visit(self, node: Any) -> None:
            found.append(type(node).__name__)
            super().generic_visit(node)

    class All(transform.Visitor):
        def visit(self, node: Any) -> None:
            found.append(type(node).__name__)
            super().visit(node)

    for cls in (Generic, All):
        found: list[str] = []
        cls().visit(sample())
        order = ["Add", "Mul", "Add", "Constant", "Constant", "Var", "Call", "Array"]
        assert found == [*order, "Constant", "Constant", "Map"][: len(found)]
        assert found[:8] == order


def test_a_mutator() -> None:
    class Twice(transform.Mutator):
        def visit_Constant(self, node: Any) -> Any:
            return Constant(2 * node.value)

        def visit_Call(self, node: Any) -> None:
            """Returns None, so calls stay."""

        def visit_Mul(self, node: Any) -> Any:
            return self.generic_visit(node)

    graph = sample()
    made = Twice().visit(graph)
    assert [made.lhs.lhs.lhs.value, made.lhs.lhs.rhs.value] == [2, 4]
    assert made.rhs is graph.rhs
    assert transform.Mutator().visit(graph) is graph
    assert call("mutate_with", Twice(), Constant(4)).value == 8
    assert Twice().visit(3) == 3


def test_a_shared_node_is_visited_once() -> None:
    class Counter(transform.Visitor):
        count = 0

        def visit_Constant(self, node: Any) -> None:
            self.count += 1

    shared = Constant(1)
    counter = Counter()
    counter.visit(shared + shared)
    assert counter.count == 1
    counter.visit(shared + shared)
    assert counter.count == 2


def test_walks_without_overrides_have_any_depth() -> None:
    class Recursive(transform.Visitor):
        def visit_Add(self, node: Any) -> None:
            self.generic_visit(node)

    class Ends(transform.Visitor):
        count = 0

        def visit_Constant(self, node: Any) -> None:
            self.count += 1

    deep = call("deep_sum", DEEP // 10)
    ends = Ends()
    ends.visit(deep)
    assert ends.count == DEEP // 10 + 1
    assert transform.Mutator().visit(deep) is deep
    with pytest.raises(RecursionError):
        Recursive().visit(deep)


@pytest.mark.bad_input
def test_methods_that_raise_or_return_junk() -> None:
    error = KeyError("mine")

    class Fails(transform.Mutator):
        def visit_Constant(self, node: Any) -> Any:
            raise error

    class Junk(transform.Mutator):
        def visit_Constant(self, node: Any) -> Any:
            return "junk"

    fails = Fails()
    for _ in range(2):
        with pytest.raises(KeyError) as caught:
            fails.visit(sample())
        assert caught.value is error
    with pytest.raises(TypeError, match=r"expected testing\.graph\.Expr, got str"):
        Junk().visit(sample())


@pytest.mark.bad_input
def test_a_visitor_without_init_and_one_in_two_threads() -> None:
    class NoInit(transform.Visitor):
        def __init__(self) -> None:
            pass

    with pytest.raises(ValueError, match="NoInit object is empty"):
        NoInit().visit(sample())

    class Slow(transform.Visitor):
        def visit_Constant(self, node: Any) -> None:
            inside.set()
            done.wait(10)

    inside, done = threading.Event(), threading.Event()
    slow = Slow()
    thread = threading.Thread(target=slow.visit, args=(sample(),))
    thread.start()
    inside.wait(10)
    with raises(RuntimeError, "visit: the visitor is at work in another thread"):
        slow.visit(sample())
    done.set()
    thread.join()


# ---------------------------------------------------------------- passes


def test_a_pass_of_cpp_reads_the_context() -> None:
    fold = transform.get_pass("testing.FoldIfAsked")
    three = Constant(1) + Constant(2)
    assert fold(three) is three
    with transform.PassContext(config={"testing.fold": True}):
        assert fold(three).value == 3


def test_passes_of_both_languages_in_one_sequence() -> None:
    """Row 28: the constant folder of C++ and a pass of Python run in one sequence."""
    fold = transform.get_pass("testing.FoldConstant")
    sequence = transform.Sequential([plus(1), fold])
    with transform.PassContext(opt_level=3):
        made = sequence(sample())
    assert made.lhs.lhs.value == 5
    assert [argument.value for argument in made.rhs.args] == [4, 5]
    assert call("run_pass", fold, Constant(1) + Constant(2)).value == 3  # C++ runs one
    assert call("run_pass", plus(1), Constant(1)).value == 2


def test_levels_and_names_decide_what_a_sequence_runs() -> None:
    def runs(**options: Any) -> list[str]:
        ran: list[str] = []

        def make(name: str, level: int) -> Any:
            def run(graph: Any) -> Any:
                ran.append(name)
                return graph

            return transform.create_pass(name=name, opt_level=level)(run)

        with transform.PassContext(**options):
            transform.Sequential([make("a", 0), make("b", 2), make("c", 3)])(sample())
        return ran

    assert runs() == ["a", "b"]
    assert runs(opt_level=0) == ["a"]
    assert runs(opt_level=3) == ["a", "b", "c"]
    assert runs(opt_level=0, required_pass=["c"]) == ["a", "c"]
    assert runs(disabled_pass=["a"], required_pass=["a"]) == ["b"]


def test_required_passes_run_before() -> None:
    ran: list[str] = []

    @transform.register_pass
    @transform.create_pass(name="testing.first")
    def first(graph: Any) -> Any:
        ran.append("first")
        return graph

    @transform.create_pass(name="second", required=["testing.first"])
    def second(graph: Any) -> Any:
        ran.append("second")
        return graph

    try:
        transform.Sequential([second])(sample())
        assert ran == ["first", "second"]
        assert transform.get_pass("testing.first") is first
        assert "testing.first" in transform.list_passes()
        with pytest.raises(ValueError, match=r"tain\.pass\.testing\.first"):
            transform.register_pass(first)
        transform.register_pass(first, override=True)
    finally:
        tain.remove_global_func("tain.pass.testing.first")
    with raises(ValueError, "no pass is registered as 'testing.first'"):
        transform.get_pass("testing.first")


def test_contexts_nest_and_belong_to_a_thread() -> None:
    current = transform.PassContext.current
    assert current().opt_level == 2
    with transform.PassContext(opt_level=1, config={"a": 1}) as outer:
        assert current() is outer
        with transform.PassContext(opt_level=3) as inner:
            assert current() is inner
            levels: list[int] = []
            thread = threading.Thread(target=lambda: levels.append(current().opt_level))
            thread.start()
            thread.join()
            assert levels == [2]
        assert current() is outer
        assert current().config["a"] == 1
        text = "PassContext: it is not the current context of this thread"
        with raises(RuntimeError, text):
            inner.__exit__(None, None, None)
    with pytest.raises(KeyError), transform.PassContext(opt_level=0):
        raise KeyError("x")
    assert current().opt_level == 2


def test_a_pass_with_the_context() -> None:
    @transform.create_pass
    def scaled(graph: Any, context: Any) -> Any:
        return Constant(graph.value * context.config["factor"])

    with transform.PassContext(config={"factor": 3}):
        assert scaled(Constant(2)).value == 6


def test_a_pass_can_be_a_class() -> None:
    class Named(transform.Pass):
        def __init__(self) -> None:
            super().__init__("named", opt_level=1)

        def run(self, graph: Any) -> Any:
            return Constant(graph.value + 1)

    assert transform.Sequential([Named(), Named()])(Constant(1)).value == 3


def test_instruments() -> None:
    events: list[str] = []

    class Log(transform.PassInstrument):
        def enter_context(self) -> None:
            events.append("enter")

        def exit_context(self) -> None:
            events.append("exit")

        def should_run(self, graph: Any, info: Any) -> bool:
            return bool(info.name != "plus2")

        def before_pass(self, graph: Any, info: Any) -> None:
            events.append(f"before {info.name}")

        def after_pass(self, graph: Any, info: Any) -> None:
            events.append(f"after {info.name}")

        def failed_pass(self, info: Any) -> None:
            events.append(f"failed {info.name}")

    @transform.create_pass
    def fails(graph: Any) -> Any:
        raise KeyError("x")

    timing, file = transform.PassTiming(), io.StringIO()
    dump = transform.PassDump(before=True, text=lambda graph: str(graph.value), file=file)
    with transform.PassContext(instruments=[Log(), timing, dump]):
        assert transform.Sequential([plus(1), plus(2)])(Constant(1)).value == 2
        with pytest.raises(KeyError):
            fails(Constant(1))
    assert events == [
        "enter", "before sequential", "before plus1", "after plus1", "after sequential",
        "before fails", "failed fails", "exit",
    ]  # fmt: skip
    assert set(timing.seconds) == {"sequential", "plus1", "fails"}
    assert timing.seconds["sequential"] >= timing.seconds["plus1"] >= 0
    lines = timing.report().splitlines()
    assert [line.rsplit(" ", 2)[0] for line in lines] == ["sequential", "  plus1", "fails"]
    dumped = ["before sequential\n1", "before plus1\n1", "after plus1\n2", "after sequential\n2"]
    assert file.getvalue().startswith("".join(f"# {one}.0\n" for one in dumped))


@pytest.mark.bad_input
def test_errors_name_the_pass() -> None:
    error = KeyError("mine")

    @transform.create_pass
    def breaks(graph: Any) -> Any:
        raise error

    @transform.create_pass
    def forgets(graph: Any) -> None:
        """Returns nothing."""

    with pytest.raises(KeyError) as caught, transform.PassContext(opt_level=3):
        transform.Sequential([breaks], name="all")(sample())
    assert caught.value is error
    assert error.__notes__ == ["in pass breaks", "in pass all"]
    assert transform.PassContext.current().opt_level == 2
    with raises(TypeError, "pass forgets: expected a graph as the result, got None"):
        forgets(sample())
    fold = transform.get_pass("testing.FoldConstant")
    with pytest.raises(TypeError, match=r"^pass testing\.FoldConstant: .*testing\.graph\.Expr"):
        fold(3)


@pytest.mark.bad_input
def test_passes_refuse() -> None:
    junk: Any = 3
    with raises(TypeError, "register_pass: argument pass_: expected Pass, got int (3)"):
        transform.register_pass(junk)
    with raises(TypeError, "create_pass: argument fn: expected a callable, got int (3)"):
        transform.create_pass(junk)
    with raises(TypeError, "create_pass: argument name: expected str, got int (3)"):
        transform.create_pass(name=junk)(lambda graph: graph)
    with raises(TypeError, "get_pass: argument name: expected str, got int (3)"):
        transform.get_pass(junk)
    with pytest.raises(TypeError, match="passes"):
        transform.Sequential([junk])
    with pytest.raises(TypeError, match="abstract"):
        transform.Pass("bare")


@pytest.mark.bad_input
def test_instruments_that_fail() -> None:
    class Bad(transform.PassInstrument):
        def enter_context(self) -> None:
            raise KeyError("enter")

    class BadExit(transform.PassInstrument):
        def exit_context(self) -> None:
            raise KeyError("exit")

    with pytest.raises(KeyError, match="enter"), transform.PassContext(instruments=[Bad()]):
        pass
    with pytest.raises(KeyError, match="exit"), transform.PassContext(instruments=[BadExit()]):
        pass
    assert transform.PassContext.current().opt_level == 2


def test_classes_are_where_users_find_them() -> None:
    for name in ("Visitor", "Mutator", "Pass", "Sequential", "PassContext", "PassTiming"):
        cls = getattr(transform, name)
        assert cls.__module__ == "tain.transform"
        assert tain.get_class(f"tain.transform.{name}") is cls
    assert isinstance(plus(1), transform.FunctionPass)
    assert Add.__module__ == "tain.types.testing.graph"
