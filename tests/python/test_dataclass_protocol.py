# SPDX-License-Identifier: Apache-2.0
"""Registered types as dataclasses see them: fields, replace, asdict, and dataclasses on top."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import sys
from collections.abc import Callable

import pytest

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
    with pytest.raises(TypeError) as caught:
        replaced(t.Mixed(1.5), tagg=1)
    assert str(caught.value) == "testing.Mixed has no field 'tagg'. Did you mean 'tag'?"
    with pytest.raises(TypeError) as caught:
        replaced(t.Private(3), guarded=1)
    assert str(caught.value) == (
        "testing.Private.guarded is read-only and no parameter of the constructor"
    )
    with pytest.raises(ValueError, match="is empty"):
        replaced(t.Point.__new__(t.Point), x=1)


@dataclasses.dataclass
class Marked(t.Tree):
    """A dataclass on top of a type that has a default constructor."""

    label: str = ""
    notes: list[str] = dataclasses.field(default_factory=list)


def test_a_dataclass_extends_a_registered_type() -> None:
    tree = Marked(None, t.Tree(value=2), 5, label="root")
    assert (tree.value, tree.right.value, tree.label, tree.notes) == (5, 2, "root", [])
    assert [field.name for field in dataclasses.fields(Marked)] == [
        *("left", "right", "value"),
        *("label", "notes"),
    ]
    assert tree == Marked(None, tree.right, 5, label="root")
    assert repr(tree).startswith("Marked(left=None, right=")
    parent = t.Tree(tree)
    del tree
    assert parent.left.label == "root"
    again = pickle.loads(pickle.dumps(parent.left))
    assert (type(again), again.label, again.value) == (Marked, "root", 5)


@dataclasses.dataclass
class Ticking(t.Tick):
    """On a type with a constructor without parameters."""

    label: str = ""
    seen: list[int] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        self.seen.append(self.next())


@dataclasses.dataclass
class Ticked(Ticking):
    """A dataclass on top of another."""

    more: int = 0


@dataclasses.dataclass
class Silent(t.Tick):
    """Assigns nothing."""


class Plain(Ticking):
    """No dataclass itself, with a constructor of its own."""

    def __init__(self, label: str) -> None:
        super().__init__(label + "!")


@dataclasses.dataclass
class Titled(t.Title):
    """On a type with a read-only field that its constructor takes."""

    label: str = ""

    def __post_init__(self) -> None:
        self.label = f"{self.title}/{self.label}"


@dataclasses.dataclass(frozen=True)
class Closed(t.Sealed):
    """On a frozen type."""

    b: int = 0


@dataclasses.dataclass
class ByOverload(t.Eager):
    """On a type one of whose constructors needs nothing."""

    label: str = ""


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Ticking(label="a"), "Ticking(ticks=8, label='a', seen=[8])"),
        (lambda: Ticked("a", more=2), "Ticked(ticks=8, label='a', seen=[8], more=2)"),
        (Silent, "Silent(ticks=7)"),
        (lambda: Plain("c"), "Plain(ticks=8, label='c!', seen=[8])"),
        (lambda: type.__call__(Titled, "t"), "Titled(title='t', size=1, label='t/')"),
        (lambda: Titled("t", 2, "l"), "Titled(title='t', size=2, label='t/l')"),
        (lambda: Titled(label="l"), "Titled(title='none', size=1, label='none/l')"),
        (
            lambda: dataclasses.replace(Titled("t"), size=5),
            "Titled(title='t', size=5, label='t/t/')",
        ),
        (lambda: Closed(5, b=6), "Closed(a=5, b=6)"),
        (lambda: Closed(), "Closed(a=1, b=0)"),
        (lambda: ByOverload(label="x"), "ByOverload(value=1, label='x')"),
        (
            lambda: pickle.loads(pickle.dumps(Titled("t", 2, "l"))),
            "Titled(title='t', size=2, label='t/l')",
        ),
        (lambda: pickle.loads(pickle.dumps(Closed(5, 6))), "Closed(a=5, b=6)"),
        (lambda: copy.copy(Closed(5, 6)), "Closed(a=5, b=6)"),
    ],
)
def test_a_dataclass_on_what_is_constructed_without_arguments(
    make: Callable[[], object], text: str
) -> None:
    assert repr(make()) == text


@pytest.mark.bad_input
def test_read_only_fields_are_read_only_after_init() -> None:
    titled = Titled("t")
    for again in (lambda: setattr(titled, "title", "u"), lambda: titled.__init__("u")):  # type: ignore[misc]
        with pytest.raises(AttributeError, match=r"^Title\.title is read-only: "):
            again()
    assert titled.title == "t"
    closed = Closed(5)
    for name in ("a", "b"):
        with pytest.raises(AttributeError):
            setattr(closed, name, 7)
        with pytest.raises(AttributeError):
            object.__setattr__(closed, "a", 7)
    assert (closed.a, closed.b) == (5, 0)
    with pytest.raises(TypeError) as caught:
        Titled(5)
    assert str(caught.value) == "Title.title: expected str, got int (5)"


@pytest.mark.bad_input
def test_an_init_that_is_written_by_hand_calls_super() -> None:
    @dataclasses.dataclass
    class Forgetful(t.Tick):
        label: str = ""

        def __init__(self) -> None:
            self.label = "x"

    with pytest.raises(ValueError, match="Forgetful object is empty: its __init__ was not called"):
        Forgetful().next()


@pytest.mark.bad_input
def test_a_dataclass_on_a_type_without_default_constructor() -> None:
    @dataclasses.dataclass
    class Wrong(t.Point):
        label: str = ""

    with pytest.raises(TypeError) as caught:
        Wrong(1, 2, "a")
    assert str(caught.value).endswith(
        "Wrong is a dataclass, but its base tain.types.testing.Point cannot be constructed without "
        "arguments: give the dataclass an __init__ that calls super().__init__(...)"
    )

    @dataclasses.dataclass
    class Right(t.Point):
        label: str = ""

        def __init__(self, x: float, label: str) -> None:
            super().__init__(x)
            self.label = label

    made = Right(3, "a")
    assert (made.x, made.label) == (3.0, "a")


@pytest.mark.bad_input
def test_a_field_of_another_type_begins_nothing() -> None:
    with pytest.raises(TypeError):
        t.Point.x.__set__(Marked.__new__(Marked), 1.0)


# ---------------------------------------------------------------- pickle and copy of state


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
    with pytest.raises(TypeError, match="needs a __setstate__ too"):
        copy.copy(HalfOwnState())
    tree = t.Tree(value=3)
    for state in (5, None, (), ({}, None, None), (5, None), ({}, 5), ("a", "b")):
        with pytest.raises(TypeError):
            tree.__setstate__(state)
    with pytest.raises(TypeError) as caught:
        tree.__setstate__(({"branch": 1}, None))
    assert str(caught.value) == "testing.Tree has no field 'branch' that the pickle holds"
    with pytest.raises(TypeError, match=r"^Tree\.value: expected int"):
        tree.__setstate__(({"value": "a"}, None))
    with pytest.raises(ValueError, match="is empty"):
        t.Tree.__new__(t.Tree).__setstate__(({}, None))
    assert tree.value == 3
