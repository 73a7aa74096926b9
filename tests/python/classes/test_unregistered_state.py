# SPDX-License-Identifier: Apache-2.0
"""State of objects that is no registered field: what copies keep, and what refuses to lose it."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest
from tain.types.testing.state import (
    Cached,
    Child,
    Counter,
    InPadding,
    Owned,
    Owner,
    OwnPart,
    Padded,
    Private,
    SaysSo,
    Sharing,
    Stateful,
    Unique,
)

import tain

Duplicate = Callable[[Any], Any]

ANEW: dict[str, Duplicate] = {  # what makes an object from the fields of another
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "json": lambda one: tain.load_json(tain.save_json(one)),
    "binary": lambda one: tain.load_binary(tain.save_binary(one)),
    "replace": lambda one: dataclasses.replace(one),
    "__replace__": lambda one: one.__replace__(),
}
COPIES: dict[str, Duplicate] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "deepcopy in a container": lambda one: copy.deepcopy(tain.Array([one]))[0],
    "__copy__": lambda one: one.__copy__(),
}

LOST = "of its objects are no registered field and would be lost: register the members"
TRANSIENT = "or give its ObjectDef tain::transient() if they may be lost"
WORDS = {
    "pickle": ("", "pickled", "define __getstate__ and __setstate__"),
    "json": ("save_json: <root>: ", "saved", "define __data_to_json__ and __data_from_json__"),
    "binary": ("save_binary: <root>: ", "saved", "define __data_to_json__ and __data_from_json__"),
    "replace": ("", "copied with other fields", "make it by its constructor"),
    "__replace__": ("", "copied with other fields", "make it by its constructor"),
}


#: The field in front of the first member that is not registered.
BEHIND = {Counter: "name", Child: "name", Private: "x", Owned: "x"}


def text_of(cls: type, way: str) -> str:
    where, done, hooks = WORDS[way]
    info = tain.type_info(cls)
    return (
        f"{where}{info.key} cannot be {done}: {info.unregistered_bytes} bytes {LOST} (the first "
        f"one is behind '{BEHIND.get(cls, 'a')}'), {hooks}, {TRANSIENT}"
    )


@pytest.mark.parametrize(
    ("cls", "size"),
    [
        (Counter, 24),
        (Child, 24),
        (Padded, 0),
        (InPadding, 4),
        (Cached, 0),
        (OwnPart, 8),
        (SaysSo, 0),
        (Owner, 0),
        (Unique, 8),
        (Stateful, 8),
        (Private, 4),
        (Sharing, 0),
        (Owned, 8),
    ],
)
def test_its_size(cls: type, size: int) -> None:
    assert tain.type_info(cls).unregistered_bytes == size


@pytest.mark.parametrize("way", ANEW)
@pytest.mark.parametrize("cls", [Counter, Child, InPadding, OwnPart, Unique, Private, Owned])
@pytest.mark.bad_input
def test_what_would_lose_it_raises(cls: Any, way: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(text_of(cls, way))}$"):
        ANEW[way](cls())


@pytest.mark.parametrize("way", ANEW)
@pytest.mark.parametrize("cls", [Padded, Cached, SaysSo, Sharing])
def test_without_it_nothing_is_refused(cls: Any, way: str) -> None:
    one = cls()
    name = "x" if cls is Sharing else "a"
    setattr(one, name, 7)
    assert getattr(ANEW[way](one), name) == 7


@pytest.mark.parametrize("way", COPIES)
def test_copies_have_it(way: str) -> None:
    counter = Child(name="n", own=2)
    counter.hit()
    made = COPIES[way](counter)
    assert (made.name, made.own, made.count) == ("n", 2, 1)
    made.hit()
    assert (made.count, counter.count) == (2, 1)
    private = Private()
    private.hide(9)
    assert COPIES[way](private).hidden == 9


class Tagged(Counter):
    """A subclass with attributes."""


@pytest.mark.parametrize("way", ["copy", "deepcopy", "__copy__"])
def test_copies_of_python_subclasses_have_it(way: str) -> None:
    tagged = Tagged(name="t")
    tagged.hit()
    tagged.tags = ["a"]
    made = COPIES[way](tagged)
    assert type(made) is Tagged
    assert (made.name, made.count, made.tags) == ("t", 1, ["a"])
    assert (made.tags is tagged.tags) == (way != "deepcopy")


@pytest.mark.bad_input
def test_pickles_of_python_subclasses_would_lose_it() -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(text_of(Counter, 'pickle'))}$"):
        pickle.dumps(Tagged())


class Remembers(Counter):
    """A subclass whose own methods keep the state."""

    def __getstate__(self) -> Any:
        return (self.name, self.count)

    def __setstate__(self, state: Any) -> None:
        self.name = state[0]
        for _ in range(state[1]):
            self.hit()


def test_own_methods_keep_it() -> None:
    remembers = Remembers(name="r")
    remembers.hit()
    for made in (pickle.loads(pickle.dumps(remembers)), copy.copy(remembers)):
        assert (type(made), made.name, made.count) == (Remembers, "r", 1)
    stateful = Stateful()
    stateful.hide(5)
    assert pickle.loads(pickle.dumps(stateful)).__getstate__() == 5


class Labelled(Stateful):
    """Adds an attribute and a slot to a class whose state C++ takes and restores."""

    __slots__ = ("__dict__", "slot")


WAYS = {
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_subclass_keeps_what_it_adds_to_a_state_of_cpp(way: str) -> None:
    labelled = Labelled(a=2)
    labelled.hide(5)
    labelled.label, labelled.slot = [1], (2,)
    made = WAYS[way](labelled)
    assert type(made) is Labelled
    assert (made.a, made.__getstate__(), made.label, made.slot) == (2, 5, [1], (2,))
    assert (made.label is labelled.label) == (way == "copy")
    plain = WAYS[way](Labelled(a=3))
    assert (plain.a, vars(plain), hasattr(plain, "slot")) == (3, {}, False)


@pytest.mark.parametrize("way", ["pickle", "deepcopy"])
def test_what_it_adds_may_refer_to_itself(way: str) -> None:
    labelled = Labelled(a=2)
    labelled.hide(5)
    labelled.label = [labelled]
    made = WAYS[way](labelled)
    assert made.label[0] is made
    assert (type(made), made.a, made.__getstate__()) == (Labelled, 2, 5)
    labelled.label = made.label = None


class InJson(Counter):
    def __data_to_json__(self) -> Any:
        return [self.name, self.count]


def test_a_hook_saves_it() -> None:
    counter = InJson(name="j")
    counter.hit()
    assert '["j",1]' in tain.save_json(counter)


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.bad_input
def test_no_copy(way: str) -> None:
    for cls in (Owner, Owned):
        key = tain.type_info(cls).key
        message = f"{key} cannot be copied: its ObjectDef says tain::no_copy()"
        with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
            COPIES[way](cls())
    assert pickle.loads(pickle.dumps(Owner(a=3))).a == 3  # a new object, which its constructor made


@pytest.mark.bad_input
def test_a_class_without_a_copy_constructor() -> None:
    message = (
        f"testing.state.Unique cannot be copied: 8 bytes {LOST} (the first one is behind 'a'), "
        f"give the class a copy constructor, {TRANSIENT}"
    )
    for copied in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
            copied(Unique())


def test_comparisons_see_fields_only() -> None:
    one, other = Counter(), Counter()
    one.hit()
    assert tain.structural_equal(one, other)
    assert one != other
