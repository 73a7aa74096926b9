# SPDX-License-Identifier: Apache-2.0
"""Dataclasses on top of registered types: what begins the C++ object, and when it is complete."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable

import pytest
from errors import empty_text, raises

import tain
from tain.types import testing as t


@dataclasses.dataclass
class Marked(t.Tree):
    """A dataclass on top of a type that has a default constructor."""

    label: str = ""
    notes: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(slots=True)
class Slotted(t.Tree):
    """Its slots must not hide the C++ fields, for which dataclasses makes some too."""

    label: str = ""


def test_a_dataclass_with_slots() -> None:
    tree = Slotted(None, t.Tree(value=2), 5, label="root")
    assert (tree.value, tree.right.value, tree.label) == (5, 2, "root")
    assert tain.testing.tree_sum(tree) == 7
    tree.value = 6
    assert tain.testing.tree_sum(tree) == 8
    assert not hasattr(tree, "__dict__")
    again = pickle.loads(pickle.dumps(tree))
    assert (type(again), again.label, again.value) == (Slotted, "root", 6)
    assert copy.copy(tree) == tree
    assert dataclasses.replace(tree, value=1).value == 1


@pytest.mark.bad_input
def test_slots_with_the_names_of_fields() -> None:
    class Hiding(t.Tree):
        __slots__ = ("mine", "value")

    tree = Hiding(value=3)
    tree.mine = 1
    assert (tree.value, tree.mine, tain.testing.tree_sum(tree)) == (3, 1, 3)


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
        with raises(
            AttributeError,
            "Title.title is read-only: register it with def_rw to make it assignable",
        ):
            again()
    assert titled.title == "t"
    closed = Closed(5)
    for name in ("a", "b"):
        with pytest.raises(AttributeError):
            setattr(closed, name, 7)
        with pytest.raises(AttributeError):
            object.__setattr__(closed, "a", 7)
    assert (closed.a, closed.b) == (5, 0)
    with raises(TypeError, "Title.title: expected str, got int (5)"):
        Titled(5)


@pytest.mark.bad_input
def test_an_init_that_is_written_by_hand_calls_super() -> None:
    @dataclasses.dataclass
    class Forgetful(t.Tick):
        label: str = ""

        def __init__(self) -> None:
            self.label = "x"

    with raises(ValueError, empty_text("Forgetful")):
        Forgetful().next()


@pytest.mark.bad_input
def test_a_dataclass_on_a_type_without_default_constructor() -> None:
    @dataclasses.dataclass
    class Wrong(t.Point):
        label: str = ""

    text = (
        "Wrong is a dataclass, but its base tain.types.testing.Point cannot be constructed without "
        "arguments: give the dataclass an __init__ that calls super().__init__(...)"
    )
    with raises(TypeError, text):
        Wrong(1, 2, "a")

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
