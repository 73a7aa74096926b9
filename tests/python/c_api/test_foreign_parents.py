# SPDX-License-Identifier: Apache-2.0
"""Types defined in Python whose parent is a type of another library, which has no ObjectDef."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import re
import sys

import foreign_lib
import pytest

import tain

foreign_lib.load("parents")
from tain.types.theirs import More, Whole  # noqa: E402


@tain.py_class("of_parents.Child")
class Child(Whole):
    own: str
    many: tain.List[int] = tain.field(default_factory=lambda: tain.List([1]))


@tain.py_class("of_parents.GrandChild")
class GrandChild(Child):
    last: float = 0.5


def child(**more: object) -> Child:
    given = {"x": 1, "flags": 2, "next": None, "any": [3], "text": "a text that is on the heap"}
    return Child(**given, own="mine", **more)


def test_fields_of_both() -> None:
    one = child()
    assert (one.x, one.flags, one.next, one.any, one.own, one.many) == (
        1,
        2,
        None,
        [3],
        "mine",
        [1],
    )
    assert one.text == "a text that is on the heap"
    assert one.sum() == 3
    one.x, one.next, one.text = 40, one.many, "b"
    assert (one.sum(), one.text) == (42, "b")
    assert one.next is one.many
    assert isinstance(one, Whole)
    assert list(inspect.signature(Child).parameters) == [
        *("x", "flags", "next", "any", "text", "own", "many"),
    ]


def test_children_of_children() -> None:
    last = GrandChild(1, 2, None, "any", "text", "own", last=2.5)
    assert (last.sum(), last.own, last.many, last.last) == (3, "own", [1], 2.5)


def test_a_parent_with_parents_and_defaults() -> None:
    @tain.py_class("of_parents.OfMore")
    class OfMore(More):
        z: int = 3

    one = OfMore(1, 2, None, None, "")
    assert (one.x, one.y, one.z, one.text) == (1, 7, 3, "")


def test_copies_are_objects_of_their_own() -> None:
    one = child()
    for made in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert type(made) is Child
        assert tain.structural_equal(made, one)
        made.text, made.x = "other", 5
        assert (one.text, one.x) == ("a text that is on the heap", 1)
    assert tain.load_json(tain.save_json(one)).own == "mine"
    assert copy.deepcopy(one).many is not one.many


def test_what_the_fields_hold_is_dropped() -> None:
    held = tain.List([1])
    before = tain.testing.object_use_count(held)
    for _ in range(1000):
        one = child()
        one.next, one.any, one.many = held, held, held
        copy.copy(one)
    del one
    gc.collect()
    assert tain.testing.object_use_count(held) == before


@pytest.mark.bad_input
def test_a_wrong_value_loses_nothing() -> None:
    one = child()
    with pytest.raises(TypeError):
        one.x = "a"
    assert one.x == 1
    held = tain.List([1])
    with pytest.raises(TypeError, match="own"):
        Child(1, 2, held, held, "text", 5)
    with pytest.raises(TypeError, match="an int is needed"):
        Child(1, "a", held, held, "text", "own")
    assert tain.testing.object_use_count(held) == 1
    assert sys.getrefcount(held) <= 2


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Hole", "16 of its 48 bytes belong to no field"),
        ("Gap", "bytes before its field x belong to no field"),
        ("Maybe", "it is not known how its field x is stored"),
        ("MaybeSmall", "it is not known how its field x is stored"),
        ("Sizeless", "its size is unknown"),
        ("Mute", "its field x has no setter"),
    ],
)
def test_a_parent_that_only_its_constructor_can_make(name: str, reason: str) -> None:
    key = f"of_parents.Of{name}"
    text = (
        f"{key}: its parent theirs.{name} cannot be extended: {reason}, so only its C++ "
        "constructor can make it"
    )
    with pytest.raises(TypeError, match=re.escape(text)):

        @tain.py_class(key)
        class Refused(tain.get_class(f"theirs.{name}")):
            y: int = 1
