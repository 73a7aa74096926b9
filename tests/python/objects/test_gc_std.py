# SPDX-License-Identifier: Apache-2.0
"""Cycles through fields of standard types are collected."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from tain.types.testing import StdEdges, StdLeaves
from testing_functions import DROP, KEEP, KEPT

import tain

pytestmark = pytest.mark.usefixtures("nothing_kept")

# Assigned to the field of that name, given the object itself.
EDGES: dict[str, Callable[[StdEdges], Any]] = {
    "vector": lambda me: [None, me, me],
    "deque": lambda me: [1, [me]],
    "list": lambda me: [me],
    "array": lambda me: [me, None],
    "map": lambda me: {"a": None, "b": me},
    "unordered_map": lambda me: {1: {"k": me}},
    "optional": lambda me: me,
    "variant": lambda me: me,
    "pair": lambda me: (1, me),
    "triple": lambda me: (None, me, 2),
    "function": lambda me: lambda _: me,
    "functions": lambda me: [lambda: 1, lambda: me],
    "nested": lambda me: {"a": [None, (1, me)], "b": [(2, [me])]},
    "tain_variant": lambda me: [me],
    "tain_optional": lambda me: [1, me],
}


class Child(StdEdges):
    """A subclass: its wrapper has a state."""


def live() -> int:
    return tain.testing.live_objects().get("testing.StdEdges", 0)


def collect() -> None:
    gc.collect()
    gc.collect()


@pytest.mark.parametrize("cls", [StdEdges, Child])
@pytest.mark.parametrize("field", EDGES)
def test_cycles_are_collected(field: str, cls: type[StdEdges]) -> None:
    before = live()
    made = cls()
    setattr(made, field, EDGES[field](made))
    if cls is Child:
        made.state = [made]
    reference = weakref.ref(made)
    del made
    collect()
    assert (live(), reference()) == (before, None)


@pytest.mark.parametrize("field", [name for name in EDGES if not name.startswith("function")])
def test_cycles_that_only_cpp_holds(field: str) -> None:
    """No wrapper is left: closed cycles of C++ objects, also with one more link."""
    before = live()
    for length in (1, 3):
        ring = [StdEdges() for _ in range(length)]
        for i, made in enumerate(ring):
            setattr(made, field, EDGES[field](ring[i - 1]))
        del ring, made
        collect()
        assert live() == before


@pytest.mark.parametrize("cls", [StdEdges, Child])
@pytest.mark.parametrize("field", EDGES)
def test_what_is_held_is_kept(field: str, cls: type[StdEdges]) -> None:
    made = cls()
    made.words = ["kept"]
    setattr(made, field, EDGES[field](made))
    KEEP(made)
    del made
    collect()
    back = KEPT(0)
    assert (back.words[0], type(back)) == ("kept", cls)
    assert repr(getattr(back, field)) != repr(getattr(cls(), field))
    holder = [back]
    del back
    DROP()
    collect()
    assert holder[0].words[0] == "kept"
    assert repr(getattr(holder[0], field)) != repr(getattr(cls(), field))


def test_cycles_through_two_fields() -> None:
    before = live()
    for first in EDGES:
        for second in ("vector", "function", "nested"):
            a, b = StdEdges(), Child()
            setattr(a, first, EDGES[first](b))
            setattr(b, second, EDGES[second](a))
            del a, b
    collect()
    assert live() == before


def test_what_a_callable_of_cpp_holds_is_not_known() -> None:
    """A lambda of the author's has no edges: a cycle through it stays."""
    before = live()
    made = StdEdges()
    made.hide_in_lambda(made)
    reference = weakref.ref(made)
    del made
    collect()
    assert live() == before + 1
    reference().function = None
    collect()
    assert live() == before


def test_a_function_is_cut_from_a_cycle_with_an_error() -> None:
    """What the collector cuts is the reference to Python, and a call says so."""
    seen = []

    class Last:
        def __init__(self, made: StdEdges) -> None:
            self.made = made

        def __call__(self, _: int) -> None: ...

        def __del__(self) -> None:
            seen.append(self.made.function is not None)

    made = StdEdges()
    made.function = Last(made)
    del made
    collect()
    assert seen == [True]


def test_types_without_references_are_not_tracked() -> None:
    assert not gc.is_tracked(StdLeaves())
    assert gc.is_tracked(StdEdges())


def test_copies_and_pickles_keep_cycles() -> None:
    made = StdEdges()
    made.vector, made.map = [made], {"k": made}
    for other in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert other.vector[0] is other
        assert other.map["k"] is other
