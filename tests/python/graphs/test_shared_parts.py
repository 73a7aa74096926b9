# SPDX-License-Identifier: Apache-2.0
"""Operations on graphs whose parts are shared: a ladder of 60 levels has 2**60 paths.

What takes time for each path never ends; the watchdog shows where.
"""

from __future__ import annotations

import contextlib
import copy
import faulthandler
import inspect
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tain.types.testing.save import Link

import tain

LEVELS = 60


@pytest.fixture(autouse=True)
def watchdog() -> Iterator[None]:
    faulthandler.dump_traceback_later(100, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@tain.py_class("testing_shared.Two")
class Two:
    a: Any
    b: Any


LADDERS: dict[str, Callable[[Any], Any]] = {
    "Array": lambda x: tain.Array([x, x]),
    "List": lambda x: tain.List([x, x]),
    "Map": lambda x: tain.Map({"a": x, "b": x}),
    "Dict": lambda x: tain.Dict({"a": x, "b": x}),
    "objects": lambda x: Two(x, x),
    "Array in objects": lambda x: Two(tain.Array([x, x]), x),
    "values of a Map with object keys": lambda x: tain.Map({Link("key"): x, "b": x}),
}


def ladder(kind: str, end: Any = 1) -> Any:
    made = tain.Array([end])
    for _ in range(LEVELS):
        made = LADDERS[kind](made)
    return made


def changes(x: Any, y: Any) -> str:
    return repr(tain.diff(x, y).changes)


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "repr": lambda x, y: repr(x),
    "str": lambda x, y: str(x),
    "hash": lambda x, y: hash(x),
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "in": lambda x, y: x in tain.Array([y]),
    "structural_equal": tain.structural_equal,
    "structural_hash": lambda x, y: tain.structural_hash(x),
    "first_mismatch": lambda x, y: repr(tain.first_mismatch(x, y)),
    "diff": lambda x, y: str(tain.diff(x, y)),
    "diff as HTML": lambda x, y: tain.diff(x, y)._repr_html_(),
    "changes": changes,
    "to_text": lambda x, y: tain.to_text(x),
    "to_html": lambda x, y: tain.to_html(x),
    "to_dot": lambda x, y: tain.to_dot(x),
    "to_mermaid": lambda x, y: tain.to_mermaid(x),
    "copy": lambda x, y: copy.copy(x),
    "deepcopy": lambda x, y: copy.deepcopy(x),
    "pickle": lambda x, y: pickle.loads(pickle.dumps(x)),
    "json": lambda x, y: tain.load_json(tain.save_json(x)),
    "binary": lambda x, y: tain.load_binary(tain.save_binary(x)),
    "visit": lambda x, y: tain.visit(x, lambda part: None),
    "rewrite": lambda x, y: tain.rewrite(x, lambda part: part),
    "free_vars": lambda x, y: tain.free_vars(x),
    "path": lambda x, y: str(tain.AccessPath().key(x)),
    "path of a part": lambda x, y: str(tain.AccessPath().key(tain.Array([x, 1])).attr("b")),
    "repr of a path": lambda x, y: repr(tain.AccessPath().key(x)),
    "hash of a path": lambda x, y: hash(tain.AccessPath().key(x)),
    "== of paths": lambda x, y: tain.AccessPath().key(x) == tain.AccessPath().key(y),
    "set_copy": lambda x, y: tain.AccessPath().attr("a").set_copy(Two(x, y), 1),
    "an error": lambda x, y: Link(x),
    "key of a Map": lambda x, y: tain.Map({x: 1}).get(y),
    "key of a Dict": lambda x, y: tain.Dict({x: 1}).get(y),
    "a Map in first_mismatch": lambda x, y: tain.first_mismatch(tain.Map({x: 1}), tain.Map({y: 2})),
    "diff of Maps": lambda x, y: changes(tain.Map({x: 1}), tain.Map({y: 2})),
    "to_text of a Map": lambda x, y: tain.to_text(tain.Map({x: 1})),
    "saved keys": lambda x, y: tain.load_binary(tain.save_binary(tain.Map({x: 1}))),
    "saved keys as text": lambda x, y: tain.load_json(tain.save_json(tain.Map({x: 1}))),
    "what cannot be saved": lambda x, y: tain.save_json(tain.Map({x: len})),
    "deepcopy of a Map": lambda x, y: copy.deepcopy(tain.Map({x: 1})),
}

# What two values without an order, and what is no key, answer.
REFUSED = (TypeError, RecursionError)


@pytest.mark.bad_input
@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_work_is_linear(operation: str) -> None:
    run = OPERATIONS[operation]
    for kind in LADDERS:
        for x, y in ((ladder(kind), ladder(kind)), (ladder(kind), ladder(kind, 2))):
            with contextlib.suppress(*REFUSED):
                run(x, y)


def test_results() -> None:
    """The work is not saved by a wrong answer."""
    for kind in ("Array", "List", "Map", "Dict", "objects"):
        assert tain.structural_equal(ladder(kind), ladder(kind))
        assert not tain.structural_equal(ladder(kind), ladder(kind, 2))
        assert tain.structural_hash(ladder(kind)) == tain.structural_hash(ladder(kind))
        assert not tain.diff(ladder(kind), ladder(kind))
        assert tain.diff(ladder(kind), ladder(kind, 2))
        again = tain.load_binary(tain.save_binary(ladder(kind)))
        assert tain.structural_equal(again, ladder(kind))
    assert ladder("Array") == ladder("Array") != ladder("Array", 2)
    mismatch = tain.first_mismatch(ladder("Array"), ladder("Array", 2))
    assert mismatch is not None and str(mismatch.path_a) == "<root>" + "[0]" * (LEVELS + 1)


def test_a_path_with_a_key_that_shares_its_parts() -> None:
    """It is cut; keys that are not large are written as they are read again."""
    key = tain.Array([1])
    for _ in range(12):
        key = tain.Array([key, key])
    path = tain.AccessPath().key(key)
    assert tain.AccessPath.parse(str(path)) == path
    text = str(tain.AccessPath().key(ladder("Array")))
    assert len(text) < 1 << 17
    assert text.endswith("...]" + "]" * (len(text) - len(text.rstrip("]")) - 1))


class Signed:
    """A callable that counts how often its text is asked for."""

    asked = 0

    @property
    def __signature__(self) -> inspect.Signature:
        Signed.asked += 1
        return inspect.Signature()

    def __call__(self) -> None: ...


def test_a_shared_part_is_asked_once_for_its_repr() -> None:
    Signed.asked = 0
    part = tain.Array([Signed()])
    text = repr(part)[1:-1]
    assert text == "<Function Signed()>"
    assert Signed.asked == 1
    assert (
        repr(tain.Array([part, [part], {"a": part}]))
        == f"[[{text}], [[{text}]], {{'a': [{text}]}}]"
    )
    assert Signed.asked == 2


def test_the_text_of_a_part_inside_itself_is_not_repeated_elsewhere() -> None:
    one, two = tain.List([1]), tain.List([2])
    one.append(two)
    two.append(one)
    assert repr(tain.Array([one, two])) == "[[1, [2, ...]], [2, [1, ...]]]"
    assert repr(tain.Array([two, one])) == "[[2, [1, ...]], [1, [2, ...]]]"
