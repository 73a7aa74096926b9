# SPDX-License-Identifier: Apache-2.0
"""Programs of a hundred thousand nodes, and of thousands of levels: nothing gives up on them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
import tensorexpr as tx
from tensorexpr import tir

import tain
from tain import transform

I, P = tir.Var("i"), tir.Var("p", "handle")  # noqa: E741
A = tir.decl_buffer((8,), "int32", "A")
SERIAL = tir.ForKind.SERIAL
# A number that stands once in each module, and what it is changed to.
MARK, OTHER = 1_234_567, 7_654_321
STATEMENTS, LEAVES = 3000, 27_000
LOOPS, LETS, TERMS = 2000, 2000, 4000


def function(body: Any) -> Any:
    return tir.PrimFunc([P], {P: A}, tir.For(I, 0, 8, SERIAL, body))


def stored(value: Any) -> Any:
    return tir.BufferStore(A, value, [I])


def balanced(begin: int, end: int) -> Any:
    if end - begin == 1:
        return tir.Add(I, begin)
    middle = (begin + end) // 2
    return tir.Add(balanced(begin, middle), balanced(middle, end))


def statements() -> Any:
    """Return many statements, one after the other."""
    made = [
        tir.BufferStore(A, tir.Add(tir.Mul(I, k + 2), k), [tir.FloorMod(I, 8)])
        for k in range(STATEMENTS)
    ]
    made[STATEMENTS // 2] = stored(tir.Add(I, MARK))
    return tir.SeqStmt(made)


def loops() -> Any:
    """Return loops in loops; each third has a single step."""
    body = stored(tir.Add(I, MARK))
    for k in range(LOOPS):
        body = tir.For(tir.Var(f"v{k}"), 0, 1 + k % 3, SERIAL, body)
    return body


def lets() -> Any:
    """Return variables that each need the one before."""
    names = [tir.Var(f"v{k}") for k in range(LETS)]
    body = stored(names[-1])
    for k in reversed(range(1, LETS)):
        body = tir.LetStmt(names[k], tir.Mul(names[k - 1], I), body)
    return tir.LetStmt(names[0], I, body)


def chained() -> Any:
    """Return a sum whose terms lie one below the other."""
    e = I
    for k in range(TERMS):
        e = tir.Add(e, tir.Mul(I, k + 2))
    return e


@cache
def module(name: str) -> Any:
    bodies = {
        "wide": {"statements": statements, "sum": lambda: stored(balanced(0, LEAVES))},
        "deep": {"loops": loops, "lets": lets, "sum": lambda: stored(chained())},
    }
    return tx.IRModule({key: function(make()) for key, make in bodies[name].items()})


def count(graph: Any, kind: type = tain.Object, order: str = "pre") -> int:
    found: list[int] = []
    tain.visit(graph, lambda node: found.append(1) if isinstance(node, kind) else None, order=order)
    return len(found)


def changed(graph: Any) -> Any:
    def change(node: Any) -> Any:
        is_mark = isinstance(node, tir.IntImm) and node.value == MARK
        return tir.IntImm(node.dtype, OTHER) if is_mark else None

    return tain.rewrite(graph, change)


NAMES = pytest.mark.parametrize("name", ["wide", "deep"])
COPIES: dict[str, Callable[[Any], Any]] = {
    "json": lambda one: tain.load_json(tain.save_json(one)),
    "binary": lambda one: tain.load_binary(tain.save_binary(one)),
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "deepcopy": copy.deepcopy,
}


def test_how_large_they_are() -> None:
    assert count(module("wide")) > 100_000
    assert count(module("deep")) > 4 * (LOOPS + LETS)


@NAMES
@pytest.mark.parametrize("way", COPIES)
def test_copies_are_equal(name: str, way: str) -> None:
    program = module(name)
    made = COPIES[way](program)
    assert not made.same_as(program)
    assert count(made) == count(program)
    assert tain.structural_equal(made, program, map_free_vars=True)
    hashes = [tain.structural_hash(one, map_free_vars=True) for one in (made, program)]
    assert hashes[0] == hashes[1]
    assert made.script() == program.script()
    assert not tain.structural_equal(changed(made), program, map_free_vars=True)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        (
            "wide",
            f'<root>.functions["statements"].body.body.seq[{STATEMENTS // 2}].value.b.value',
        ),
        ("deep", f'<root>.functions["loops"].body.body{".body" * LOOPS}.value.b.value'),
    ],
    ids=["wide", "deep"],
)
def test_the_place_of_a_changed_constant(name: str, path: str) -> None:
    program, other = module(name), changed(module(name))
    (found,) = tain.diff(program, other).changes
    assert (str(found.path), found.left, found.right) == (path, MARK, OTHER)
    assert found.path.get(other) == OTHER
    assert tain.structural_hash(program) != tain.structural_hash(other)
    with pytest.raises(AssertionError, match=rf"{MARK}[\s\S]*{OTHER}"):
        tain.assert_structural_equal(program, other)


@pytest.mark.parametrize("name", ["loops", "lets"])
def test_a_copy_of_thousands_of_levels_has_no_differences(name: str) -> None:
    program = module("deep")[name]
    assert str(tain.diff(program, copy.deepcopy(program))) == "no differences"


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("wide", [f"A[i] = i + {MARK}", f"(i + {LEAVES - 2} + (i + {LEAVES - 1}))"]),
        ("deep", [f"A[i] = i + {MARK}", f"v{LETS - 1}", "i * 2 + i * 3 + i * 4 + i * 5 + "]),
    ],
    ids=["wide", "deep"],
)
def test_texts(name: str, texts: list[str]) -> None:
    program = module(name)
    script = program.script()
    assert str(program) == script
    assert [text for text in texts if text not in script] == []
    stores = count(program, tir.BufferStore)
    assert script.count("A[i] = ") + script.count("A[i % 8] = ") == stores


@NAMES
def test_walks(name: str) -> None:
    program = module(name)
    assert count(program) == count(program, order="post")
    constants = count(program, tir.IntImm)
    seen: list[Any] = []

    class Constants(transform.Visitor):
        def visit_IntImm(self, node: Any) -> None:
            seen.append(node)

    Constants().visit(program)
    assert len(seen) == constants
    assert tain.rewrite(program, lambda node: None).same_as(program)

    class Doubled(transform.Mutator):
        def visit_IntImm(self, node: Any) -> Any:
            return tir.IntImm("int64", node.value * 2)

    by_method = Doubled().visit(program)
    by_function = tain.rewrite(
        program,
        lambda n: tir.IntImm("int64", n.value * 2) if isinstance(n, tir.IntImm) else None,
    )
    assert tain.structural_equal(by_method, by_function, map_free_vars=True)
    assert count(by_method, tir.IntImm) == constants
    assert not tain.structural_equal(by_method, program, map_free_vars=True)


@pytest.mark.parametrize(
    ("make", "value"),
    [
        (lambda: balanced(0, LEAVES), sum(3 + k for k in range(LEAVES))),
        (chained, 3 + sum(3 * (k + 2) for k in range(TERMS))),
    ],
    ids=["balanced", "chained"],
)
def test_sums_keep_their_value(make: Callable[[], Any], value: int) -> None:
    """A sum, and what simplifying makes of it, have the value that Python computes."""
    whole = make()
    for one in (whole, tir.simplify(whole)):
        at_three = tir.stmt_functor.substitute(one, {I: tir.const(3, "int32")})
        assert int(tir.simplify(at_three)) == value


@NAMES
def test_simplified_programs(name: str) -> None:
    program = module(name)
    made = transform.get_pass("tensorexpr.Simplify")(program)
    assert count(made) <= count(program)
    assert count(made, tir.BufferStore) == count(program, tir.BufferStore)
    assert f"i + {MARK}" in made.script()
    if name == "deep":
        steps = [1 + k % 3 for k in range(LOOPS)]
        assert count(made["loops"], tir.For) == 1 + sum(1 for one in steps if one > 1)
