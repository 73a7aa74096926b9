# SPDX-License-Identifier: Apache-2.0
"""The state of an object in copies and pickles: dictionaries, slots, states that do not fit."""

from __future__ import annotations

import copy
import pickle

import pytest
from errors import empty_text, raises

from tain.types import testing as t


class Stateful(t.Tree):
    """Has attributes, slots and a weak reference."""

    __slots__ = ("__dict__", "slot")


class OwnState(t.Tree):
    """Chooses itself what is kept."""

    def __getstate__(self) -> dict[str, int]:
        return {"kept": 1}

    def __setstate__(self, state: dict[str, int]) -> None:
        self.got = state


class HalfOwnState(t.Tree):
    """Forgot __setstate__."""

    def __getstate__(self) -> int:
        return 5


WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{
        f"pickle {protocol}": lambda x, protocol=protocol: pickle.loads(pickle.dumps(x, protocol))
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    },
}


@pytest.mark.parametrize("way", WAYS)
def test_all_state_of_a_subclass_is_kept(way: str) -> None:
    made = Stateful(value=3)
    made.slot, made.attribute = [1], [2]
    again = WAYS[way](made)
    assert (type(again), again.value, again.slot, again.attribute) == (Stateful, 3, [1], [2])
    own = WAYS[way](OwnState(value=4))
    assert (type(own), own.value, own.got) == (OwnState, 4, {"kept": 1})


@pytest.mark.parametrize("way", [way for way in WAYS if way != "copy"])
def test_cycles_and_sharing_come_back(way: str) -> None:
    ring = Stateful(value=1)
    ring.left = t.Tree(ring, value=2)
    ring.right = ring.left
    ring.me = ring
    again = WAYS[way](ring)
    assert again.left.left is again
    assert again.right is again.left
    assert again.me is again
    for tree in (ring, again):
        tree.left.left = None
        del tree.me


@pytest.mark.bad_input
def test_state_that_does_not_fit() -> None:
    with raises(
        TypeError, "HalfOwnState has a __getstate__ of its own, so it needs a __setstate__ too"
    ):
        copy.copy(HalfOwnState())
    tree = t.Tree(value=3)
    for state in (5, None, (), ({}, None, None), (5, None), ({}, 5), ("a", "b")):
        with pytest.raises(TypeError):
            tree.__setstate__(state)
    with raises(TypeError, "testing.Tree has no field 'branch' that the pickle holds"):
        tree.__setstate__(({"branch": 1}, None))
    with raises(TypeError, "Tree.value: expected int, got str ('a')"):
        tree.__setstate__(({"value": "a"}, None))
    with raises(ValueError, empty_text("tain.types.testing.Tree")):
        t.Tree.__new__(t.Tree).__setstate__(({}, None))
    assert tree.value == 3
