# SPDX-License-Identifier: Apache-2.0
"""Copies of objects with other values in some fields, whatever their type."""

from __future__ import annotations

from typing import Any

import pytest
from errors import raises
from foreign_objects import Copied, objects_die
from foreign_objects import Point as ForeignPoint

import tain
from tain import _core
from tain.types import testing as t

all_objects_die = pytest.fixture(autouse=True)(objects_die)
copy_with = _core.copy_with
copy_with_in_cpp = tain.get_global_func("testing.copy_with")


@tain.py_class("rebuild.Frozen", eq=True, frozen=True)
class Frozen:
    size: int
    items: tain.List = tain.field(default_factory=tain.List)


class Slotted(t.Etched):
    __slots__ = ("__dict__", "slot")


class Setter(t.Node):
    """Restores its state itself."""

    def __setstate__(self, state: Any) -> None:
        self.restored = state


def test_any_field_of_any_type() -> None:
    bead = t.Bead(1, t.Bead(2))
    other = copy_with(bead, {"value": 5})
    assert (type(other), other.value, bead.value) == (t.Bead, 5, 1)
    assert other.next is bead.next
    wide = copy_with(t.WideBead(1, None, "l"), {"label": "m", "value": 3})
    assert (wide.label, wide.value) == ("m", 3)
    pin = copy_with(t.Pin(1, 2), {"next": [3]})
    assert (pin.value, list(pin.next)) == (1, [3])
    frozen = Frozen(1)
    assert copy_with(frozen, {"size": 2}) == Frozen(2)
    assert copy_with(frozen, {"size": 2}).items is frozen.items
    assert copy_with(ForeignPoint(1), {"x": 4}).x == 4
    assert copy_with(Copied.make(4), {}).hidden() == 5


def test_the_class_and_the_state_of_a_subclass_are_kept() -> None:
    made = Slotted(1, 2)
    made.slot, made.note, made.extra = [1], "n", 3
    other = copy_with(made, {"value": 4})
    assert (type(other), other.value, other.next, other.extra) == (Slotted, 4, 2, 3)
    assert (other.note, other.slot) == ("n", [1])
    assert other.slot is made.slot
    own = Setter(1)
    own.note = "n"
    assert (copy_with(own, {"value": 2}).value, type(copy_with(own, {}))) == (2, Setter)


def test_values_are_converted_as_in_an_assignment() -> None:
    node = copy_with(t.Node(1), {"items": [1, "two"], "payload": {"a": 1}})
    assert list(node.items) == [1, "two"]
    assert node.payload["a"] == 1


def test_from_cpp() -> None:
    assert copy_with_in_cpp(t.Bead(1), {"value": 6}).value == 6
    labelled = Slotted(1, 2)
    labelled.note = "n"
    other = copy_with_in_cpp(labelled, {"extra": 6})
    assert (type(other), other.note, other.extra) == (Slotted, "n", 6)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("given", "changes", "error", "text"),
    [
        (5, {}, TypeError, "copy_with(): expected an object of a registered type, got int (5)"),
        (
            tain.Array([1]),
            {},
            TypeError,
            "copy_with(): expected an object of a registered type, got Array ([1])",
        ),
        (t.Bead(1), {"v": 1}, TypeError, "testing.Bead has no field 'v'"),
        (t.Bead(1), {5: 1}, TypeError, "copy_with(): expected names of fields, got int (5)"),
        (
            t.Bead(1),
            {"value": "x"},
            TypeError,
            "testing.Bead.value: expected int, got str ('x')",
        ),
        (
            t.Bead(1),
            {"value": 2**70},
            OverflowError,
            f"testing.Bead.value: expected int in {-(2**63)}..{2**63 - 1}, got {2**70}",
        ),
        (
            t.Bead(1),
            {"next": t.Pin(1)},
            TypeError,
            "testing.Bead.next: expected testing.Bead | None, got testing.Pin",
        ),
    ],
)
def test_what_does_not_fit(given: Any, changes: Any, error: type[Exception], text: str) -> None:
    with raises(error, text):
        copy_with(given, changes)


@pytest.mark.bad_input
def test_an_empty_object_and_a_moved_one() -> None:
    with pytest.raises(ValueError):
        copy_with(t.Bead.__new__(t.Bead), {})
    point = t.Point(1, 2)
    tain.get_global_func("testing.echo")(point._move())
    with pytest.raises(ValueError):
        copy_with(point, {"x": 1})


@pytest.mark.bad_input
def test_a_conversion_that_replaces_the_object_meanwhile() -> None:
    node = t.Node(1)

    class Acting:
        def __tain_convert__(self) -> object:
            node.__init__(7)
            return 3

    other = copy_with(node, {"payload": Acting(), "items": [1]})
    assert (other.value, other.payload, node.value) == (1, 3, 7)
