# SPDX-License-Identifier: Apache-2.0
"""Registered types as dataclasses see them: fields, replace, asdict, and dataclasses on top."""

from __future__ import annotations

import copy
import dataclasses
import sys
from collections.abc import Callable
from typing import Any

import pytest
from errors import empty_text, raises

import tain
from tain.types import testing as t


def test_fields_are_those_of_the_registration() -> None:
    assert dataclasses.is_dataclass(t.Config)
    assert dataclasses.is_dataclass(t.Config())
    fields = {field.name: field for field in dataclasses.fields(t.Config)}
    assert list(fields) == [field.name for field in tain.type_info(t.Config).fields]
    assert fields["size"].type is int
    assert (fields["size"].default, fields["size"].init) == (10, True)
    assert fields["rate"].kw_only
    assert fields["made"].default_factory() == t.Config().made
    assert not fields["computed"].init  # no parameter of the constructor
    assert fields["name"].default == "unnamed"
    assert fields["name"].metadata["doc"] == tain.type_info(t.Config).fields[0].doc


def test_containers_are_no_dataclasses() -> None:
    assert not dataclasses.is_dataclass(tain.Array)


def test_replace() -> None:
    made = dataclasses.replace(t.Point(1, 2), y=5)
    assert (type(made), made.x, made.y) == (t.Point, 1.0, 5.0)
    with pytest.raises(TypeError):
        dataclasses.replace(t.Point(1, 2), z=5)


def test_asdict_and_astuple() -> None:
    holder = t.Holder(t.Point(1, 2))
    assert dataclasses.asdict(holder) == {"point": {"x": 1.0, "y": 2.0}}
    assert dataclasses.astuple(holder) == ((1.0, 2.0),)


def replaced(obj: object, **changes: object) -> object:
    if sys.version_info >= (3, 13):
        return copy.replace(obj, **changes)
    return obj.__replace__(**changes)


def test_copy_replace() -> None:
    assert replaced(t.Point(1, 2), x=4).x == 4.0
    mixed = t.Mixed(1.5)
    mixed.tag = 7  # writable, but no parameter of the constructor
    assert (replaced(mixed, value=2.5).value, replaced(mixed, value=2.5).tag) == (2.5, 7)
    assert replaced(mixed, tag=9).tag == 9
    assert replaced(t.Frozen(5), value=6).value == 6


@pytest.mark.bad_input
def test_copy_replace_says_what_is_wrong() -> None:
    with raises(TypeError, "testing.Mixed has no field 'tagg'. Did you mean 'tag'?"):
        replaced(t.Mixed(1.5), tagg=1)
    with raises(TypeError, "testing.Private.guarded: expected int, got str ('a')"):
        replaced(t.Private(3), guarded="a")
    with raises(ValueError, empty_text("tain.types.testing.Point")):
        replaced(t.Point.__new__(t.Point), x=1)


class Noted(t.Point):
    """A subclass with attributes and a constructor of its own."""

    __slots__ = ("__dict__", "slot")

    def __init__(self, note: str) -> None:
        super().__init__(1, 2)
        self.note, self.slot = note, [note]


class Etcher(t.Etched):
    """A subclass of a type with const members."""


def one_of(cls: type, *args: object) -> object:
    made = cls(*args)
    if isinstance(made, t.Etched):
        made.extra = "extra"
    return made


class Pinned(t.boxed.Vec):
    """A subclass of a boxed class."""


@tain.py_class("test_replace.Card", frozen=True)
class Card(tain.Object):
    """A frozen type that is defined in Python."""

    suit: str
    marks: tain.List[int] = tain.field(default_factory=list)


@tain.py_class("test_replace.Deck")
class Deck(Card):
    """A child of it, with a field that is no parameter."""

    top: int = tain.field(default=3, init=False)


class Shuffled(Deck):
    """A subclass with an attribute."""


@dataclasses.dataclass
class Labelled(t.Config):
    """A dataclass on top of a registered type."""

    label: str = "none"


def noted(made: Any, **attributes: Any) -> Any:
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


# Objects of each kind of type; a change, and what of the object and of the copy is equal.
BY_KIND: dict[str, tuple[Callable[[], Any], dict[str, Any], dict[str, Any]]] = {
    "def_init": (lambda: t.Point(1, 2), {"x": 5}, {"x": 5.0, "y": 2.0}),
    "boxed": (lambda: t.boxed.Vec(1, 2), {"x": 5}, {"x": 5.0, "y": 2.0}),
    "a subclass of a boxed class": (
        lambda: noted(Pinned(1, 2), note=[1]),
        {"x": 5},
        {"x": 5.0, "y": 2.0, "note": [1]},
    ),
    "a frozen py_class": (
        lambda: Card("spades", [1, 2]),
        {"suit": "hearts"},
        {"suit": "hearts", "marks": [1, 2]},
    ),
    "a child of a py_class": (
        lambda: noted(Deck("spades"), top=9),
        {"suit": "hearts"},
        {"suit": "hearts", "marks": [], "top": 9},
    ),
    "a subclass of a py_class": (
        lambda: noted(Shuffled("spades", [1]), seed=7),
        {"marks": [3]},
        {"suit": "spades", "marks": [3], "top": 3, "seed": 7},
    ),
    "a dataclass on top": (
        lambda: Labelled(label="a"),
        {"label": "b"},
        {"size": 10, "label": "b"},
    ),
}


@pytest.mark.parametrize("case", BY_KIND)
def test_copy_replace_of_each_kind_of_type(case: str) -> None:
    make, changes, expected = BY_KIND[case]
    made = make()
    before = {name: getattr(made, name) for name in expected}
    other = replaced(made, **changes)
    assert type(other) is type(made)
    shown = {name: getattr(other, name) for name in expected}
    assert {k: list(v) if isinstance(v, tain.List) else v for k, v in shown.items()} == expected
    assert {name: getattr(made, name) for name in expected} == before


def hostile(name: str, member: Any) -> Any:
    return type("Hostile", (t.Mixed,), {name: member})(1.5)


def refuse(*_: object, **__: object) -> Any:
    raise ZeroDivisionError("hostile")


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("name", "member"),
    [
        ("__setattr__", refuse),
        ("__getattribute__", refuse),
        ("__reduce_ex__", refuse),
        ("__copy__", refuse),
        ("__dict__", property(refuse)),
        ("__new__", staticmethod(lambda *_, **__: 3)),
        ("__init__", lambda self, *_, **__: None),
        ("__post_init__", refuse),
        ("__dataclass_fields__", {"value": 3}),
        ("__dataclass_fields__", 3),
        ("value", property(refuse, refuse)),
        ("tag", 3),
    ],
)
def test_copy_replace_of_a_hostile_class(name: str, member: Any) -> None:
    try:
        made = hostile(name, member)
    except ZeroDivisionError:
        return  # it refuses to be made
    try:
        other = replaced(made, value=2.5)
    except (ZeroDivisionError, TypeError, AttributeError, ValueError):
        return
    assert isinstance(other, (t.Mixed, int))


# Objects that a constructor does not copy, a change, and what the copy shows.
BY_RECORD = {
    "read-only, no parameter": (lambda: t.Private(3), {"guarded": 1}, "Private(secret=3, guard"),
    "no constructor for fields": (lambda: t.Countdown(3), {"left": 1}, "Countdown(left=1)"),
    "no constructor": (
        lambda: tain.get_global_func("testing.make_no_constructor")(4),
        {"value": 9},
        "NoConstructor(value=9)",
    ),
    "__create__": (lambda: t.Bead(3, t.Bead(4)), {"value": 5}, "Bead(value=5, next=testing.Bead"),
    "const members": (
        lambda: t.Pin(3, [1]),
        {"value": 5},
        "Pin(value=5, next=[1])",
    ),
    "const and other members": (
        lambda: one_of(t.Etched, 3, 4),
        {"value": 5},
        "Etched(value=5, next=4, extra='extra')",
    ),
    "a subclass": (lambda: Noted("n"), {"x": 5}, "Noted(x=5.0, y=2.0)"),
    "a subclass with const members": (
        lambda: one_of(Etcher, 3, 4),
        {"value": 5},
        "Etcher(value=5, next=4, extra='extra')",
    ),
}


@pytest.mark.parametrize("way", [replaced, dataclasses.replace])
@pytest.mark.parametrize("case", BY_RECORD)
def test_replace_works_for_every_type(case: str, way) -> None:
    make, changes, text = BY_RECORD[case]
    made = make()
    if isinstance(made, Noted) and way is dataclasses.replace:
        with pytest.raises(TypeError):  # the class is called, as for each dataclass
            way(made, **changes)
        return
    before = repr(made)
    other = way(made, **changes)
    assert type(other) is type(made)
    assert text in repr(other)
    assert repr(made) == before
    if isinstance(made, Noted):
        assert (other.note, other.slot) == ("n", ["n"])
        assert other.slot is made.slot


def test_a_copy_without_changes_keeps_what_is_no_field() -> None:
    node = t.Lone()
    node.hide(9)
    assert dataclasses.replace(node).hidden() == 7  # by the constructor, as for each dataclass
    child = type("Child", (t.Mixed,), {})(1.5)
    child.note = "n"
    for other in (replaced(child, value=2), dataclasses.replace(child, value=2)):
        assert (type(other), other.note, other.value, other.tag) == (type(child), "n", 2.0, 99)


def test_fields_of_an_object_are_those_of_its_class() -> None:
    for made in (t.Private(3), t.Bead(1), t.Point(1, 2)):
        of_class = dataclasses.fields(type(made))
        assert [field.name for field in dataclasses.fields(made)] == [f.name for f in of_class]
    assert dataclasses.asdict(t.Private(3)) == {"secret": 3, "guarded": 5}
    assert dataclasses.astuple(t.Countdown(3)) == (3,)


@pytest.mark.bad_input
def test_replace_of_objects_that_cannot_be_rebuilt() -> None:
    text = (
        "testing.Stuck cannot be rebuilt: its class has no copy constructor, no default "
        "constructor and no constructor whose parameters are its fields"
    )
    for way in (replaced, dataclasses.replace):
        with raises(TypeError, text):
            way(t.Stuck(3), value=1)
    with raises(TypeError, "_replaced_object is for dataclasses.replace() alone"):
        t.Point(1, _replaced_object=t.Point(1, 2))
    for given in (5, t.Point, t.Countdown(3)):
        with raises(TypeError, "_replaced_object is for dataclasses.replace() alone"):
            t.Point(x=1, _replaced_object=given)
    assert t.Point(_replaced_object=t.Point(1, 2)).x == 1.0
    with raises(TypeError, "testing.Bead has no field 'valeu'. Did you mean 'value'?"):
        replaced(t.Bead(1), valeu=1)
    with raises(TypeError, "testing.Private has no field 'guardet'. Did you mean 'guarded'?"):
        dataclasses.replace(t.Private(1), guardet=1)
