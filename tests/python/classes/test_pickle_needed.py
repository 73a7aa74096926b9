# SPDX-License-Identifier: Apache-2.0
"""Pickles and deep copies of graphs whose objects only their constructors make."""

from __future__ import annotations

import copy
import functools
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from tain.types.testing import Bead, Etched, Node, Pin, Term, Tree
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


class Labelled(Node):
    """Keeps Python state beside its C++ fields."""


def length_of(made: Any) -> int:
    length = 0
    while made is not None:
        length, made = length + 1, made.next
    return length


@tain.py_class("pickle_needed.Item", frozen=True, eq=True)
class Item:
    """Compared and hashed by its fields, which are read-only."""

    value: int
    next: Any = None


class LabelledBead(Bead):
    """Keeps Python state beside read-only fields."""


class SetsBead(Bead):
    """Restores its state itself, so all its fields are needed."""

    def __setstate__(self, state: Any) -> None:
        self.state = state


def test_a_tree_of_needed_fields(again) -> None:
    tree = Tree(None, None, 0)
    for i in range(5000):
        tree = Tree(tree, None, i)
    assert again(tree).value == 4999


NEEDED = [Bead, Pin, Etched, Item, LabelledBead, SetsBead]


@pytest.mark.parametrize("cls", NEEDED)
def test_a_long_chain_that_constructors_make(again, cls: type) -> None:
    head = None
    for i in range(3000):
        head = cls(i, head)
        if cls is LabelledBead:
            head.note = [i]
        elif cls is Etched:
            head.extra = head.next  # written after the objects exist
        elif cls is SetsBead:
            head.state = i
    copied = again(head)
    assert length_of(copied) == 3000
    for i in reversed(range(3000)):
        assert (type(copied), copied.value) == (cls, i)
        if cls is LabelledBead:
            assert copied.note == [i]
        elif cls is Etched:
            assert copied.extra is copied.next
        elif cls is SetsBead:
            assert copied.state == {"state": i}
        copied = copied.next


@pytest.mark.slow
def test_a_chain_of_a_million_that_a_constructor_makes() -> None:
    made = by_pickle(get("make_beads")(1_000_000))
    assert get("count_beads")(made) == 1_000_000


GROWTH = """
    import copy, gc, pickle, time, tain
    from tain.types.testing import Bead
    def seconds(act, size):
        chain = tain.get_global_func("testing.make_beads")(size)
        gc.collect()
        start = time.process_time()
        act(chain)
        return time.process_time() - start
    for act in (copy.deepcopy, pickle.dumps, lambda x: pickle.loads(pickle.dumps(x))):
        small, large = seconds(act, 5_000), seconds(act, 50_000)
        assert large < 40 * small + 0.01, (act, small, large)  # quadratic: 100
"""


def test_time_grows_with_the_chain_of_constructed_objects(run) -> None:
    run(GROWTH)


def test_sharing_among_needed_objects(again) -> None:
    """A ladder: each object is needed twice; without a memo it would be copied 2**60 times."""
    rung: Any = Node(7)
    for i in range(60):
        rung = Term(str(i), [rung, rung])
    copied = again(rung)
    assert copied.name == "59"
    for _ in range(60):
        assert copied.args[0] is copied.args[1]
        copied = copied.args[0]
    assert copied.value == 7


def test_cycles_through_objects_that_constructors_make(again) -> None:
    """Mutable nodes that hold immutable ones that hold mutable ones, in one ring."""
    nodes = [Node(i) for i in range(200)]
    for i, node in enumerate(nodes):
        node.payload = Pin(i, [Etched(i, nodes[(i + 1) % 200]), nodes[i - 1]])
    copied = at = again(nodes[0])
    for i in range(200):
        pin = at.payload
        etched, before = pin.next
        assert (at.value, pin.value, etched.value) == (i, i, i)
        assert before.payload.next[0].next is at
        at = etched.next
    assert at is copied
    for node in (*nodes, copied):
        node.payload = None


def test_keys_that_constructors_make(again) -> None:
    chain = None
    for i in range(100):
        chain = Item(i, chain)
    holders = [Labelled(i) for i in range(50)]
    for i, holder in enumerate(holders):
        holder.payload, holder.keys = {chain: i}, {chain: holder}
        holder.next = holders[i - 1] if i else None
    copied = again(holders[-1])
    key = next(iter(copied.keys))
    for i in reversed(range(50)):
        assert copied.keys[chain] is copied
        assert next(iter(copied.keys)) is key is next(iter(copied.payload))
        assert copied.payload[chain] == i
        copied.keys = None
        copied = copied.next
    for holder in holders:
        holder.keys = None
