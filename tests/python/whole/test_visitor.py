# SPDX-License-Identifier: Apache-2.0
"""The visitor of examples/pyast in Python's hands, and examples/visitor."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import pytest
from errors import raises
from example_scripts import load_script

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

pytestmark = pytest.mark.slow  # the example is compiled first


pyast: Any = None  # these are imported when the first test runs
convert: Any = None
grammar: Any = None
stdlib: Any = None


@pytest.fixture(scope="module", autouse=True)
def example() -> None:
    """Compile the example, and import what the tests use of it."""
    global pyast, convert, grammar, stdlib
    sys.path.insert(0, str(EXAMPLES / "pyast"))
    import pyast
    from pyast import convert, grammar, stdlib

    sys.path.remove(str(EXAMPLES / "pyast"))


def tree_of(source: str) -> Any:
    return convert.from_ast(ast.parse(source))


def test_there_is_a_method_for_every_kind() -> None:
    for name in grammar.NODES:
        method = getattr(pyast.Visitor, f"visit_{name}")
        (node,) = (p for p in method.__signature__.parameters.values() if p.name == "node")
        assert name in str(node.annotation), method


def test_overrides_are_called_from_cpp_with_the_nodes_themselves() -> None:
    class Names(pyast.Visitor):
        def visit_Name(self, node: Any) -> None:
            found.append(node)

    found: list[Any] = []
    tree = tree_of("def f(x=a):\n    return [b for b in c]\n")
    Names().visit(tree)
    assert [node.id for node in found] == ["a", "b", "b", "c"]
    assert found[0] is tree.body[0].args.defaults[0]


def test_who_overrides_decides_what_is_visited() -> None:
    class Functions(pyast.Visitor):
        def visit_FunctionDef(self, node: Any) -> None:
            seen.append(node.name)
            if node.name != "closed":
                self.generic_visit(node)

        def visit_Lambda(self, node: Any) -> None:
            seen.append("lambda")
            super().visit_Lambda(node)

    seen: list[str] = []
    Functions().visit(
        tree_of(
            "def open():\n  def inner(): lambda: lambda: 0\ndef closed():\n  def inner(): pass\n"
        )
    )
    assert seen == ["open", "inner", "lambda", "lambda", "closed"]


def test_visit_and_generic_visit_can_be_overridden() -> None:
    class Trace(pyast.Visitor):
        def visit(self, node: Any) -> None:
            seen.append(type(node).__name__)
            super().visit(node)

        def generic_visit(self, node: Any) -> None:
            if not isinstance(node, pyast.Call):
                super().generic_visit(node)

    seen: list[str] = []
    Trace().visit(tree_of("a + f(b)"))
    assert seen == ["Module", "Expr", "BinOp", "Name", "Call"]


def test_what_an_override_raises_comes_out() -> None:
    class Refuses(pyast.Visitor):
        def visit_Constant(self, node: Any) -> None:
            raise LookupError(node.value)

    with raises(LookupError, "7"):
        Refuses().visit(tree_of("f(x, [7])"))


@pytest.mark.bad_input
def test_wrong_nodes() -> None:
    visitor = pyast.Visitor()
    with raises(TypeError, "pyast.Visitor.visit: argument node: expected pyast.AST, got str ('a')"):
        visitor.visit("a")
    with raises(
        TypeError, "pyast.Visitor.visit_Name: argument node: expected pyast.Name, got pyast.Pass"
    ):
        visitor.visit_Name(pyast.Pass())


@pytest.mark.bad_input
@pytest.mark.parametrize("make", ["Visitor", "Statistics", "Folder"])
def test_trees_without_an_end(make: str) -> None:
    visitor, deep = getattr(pyast, make)(), pyast.Name("x")
    cycle = pyast.Await(deep)
    cycle.value = pyast.Await(cycle)
    for _ in range(10_000):
        deep = pyast.Await(deep)
    for tree in (deep, cycle):
        with raises(RecursionError, "the tree has more than 2000 levels"):
            visitor.visit(tree)
    cycle.value = pyast.Name("x")
    visitor.visit(cycle)


def test_the_script_on_some_files() -> None:
    path, limit = EXAMPLES / "visitor" / "run.py", sys.getrecursionlimit()
    try:
        script = load_script(path)
        names, _, agrees = script.walk(stdlib.source_files(6))
    finally:
        sys.setrecursionlimit(limit)
    assert agrees
    assert names.functions.total() > 0
