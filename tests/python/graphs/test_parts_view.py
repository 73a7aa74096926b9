# SPDX-License-Identifier: Apache-2.0
"""The parts of a value as Python reads them."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from errors import raises

import tain
from tain import _core
from tain.types import testing as t

HIDDEN, IGNORED, ERROR = 1, 2, 4


def parts(value: Any, limit: int = 100) -> Any:
    return _core.parts(value, limit)


def test_fields_come_with_their_flags() -> None:
    form, total, found = parts(t.Exhibit("vase"))
    assert (form, total) == ("fields", 5)
    assert found == [
        ("name", "vase", 0),
        ("fragile", 1, 0),
        ("part", None, 0),
        ("place", 0, IGNORED),
        ("secret", 0, HIDDEN),
    ]


def test_a_field_that_cannot_be_read_is_its_error() -> None:
    vase = t.Exhibit("vase")
    vase.fragile = -3
    _, _, found = parts(vase)
    name, error, flags = found[1]
    assert (name, flags) == ("fragile", ERROR)
    assert type(error) is ValueError and str(error) == "broken: -3"
    assert [name for name, _, _ in found] == ["name", "fragile", "part", "place", "secret"]


def test_enums_are_their_members() -> None:
    found = {name: value for name, value, _ in parts(t.AllKinds())[2]}
    assert found["color"] is t.Color.RED
    assert found["mode"] is t.Mode.FAST
    assert found["access"] is t.Access.READ


def test_fields_of_parents_come_first() -> None:
    @tain.py_class("parts_view.Base")
    class Base(tain.Object):
        a: int = 1

    @tain.py_class("parts_view.Child")
    class Child(Base):
        b: Any = None

    assert parts(Child(2, [3]))[2] == [("a", 2, 0), ("b", [3], 0)]


@pytest.mark.parametrize("make", [tain.Array, tain.List])
def test_elements(make: Any) -> None:
    form, total, found = parts(make(range(1000)), 3)
    assert (form, total) == ("elements", 1000)
    assert found == [(0, 0, 0), (1, 1, 0), (2, 2, 0)]
    assert parts(make([])) == ("elements", 0, [])


@pytest.mark.parametrize("make", [tain.Map, tain.Dict])
def test_entries(make: Any) -> None:
    point = t.Point(1, 2)
    form, total, found = parts(make({"a": 1, point: [2], "c": 3}), 2)
    assert (form, total, found) == ("entries", 3, [("a", 1, 0), (point, [2], 0)])
    assert found[1][0] is point
    assert parts(make({})) == ("entries", 0, [])


@pytest.mark.parametrize("limit", [0, -1, -(2**63)])
def test_without_room_nothing_is_read(limit: int) -> None:
    vase = t.Exhibit("vase")
    vase.fragile = -1
    assert parts(vase, limit) == ("fields", 5, [])
    assert parts(tain.List([1]), limit) == ("elements", 1, [])
    assert parts(tain.Dict({1: 1}), limit) == ("entries", 1, [])


def test_leaves_have_no_parts() -> None:
    for leaf in (tain.Shape((1, 2)), tain.get_global_func("testing.keep"), tain.empty((2,))):
        assert parts(leaf) == ("", 0, [])


@pytest.mark.bad_input
def test_what_is_no_object() -> None:
    assert parts(t.Point.__new__(t.Point)) is None
    moved = t.Point(1, 2)
    tain.get_global_func("testing.keep")(moved._move())
    tain.get_global_func("testing.drop_kept")()
    assert parts(moved) is None
    with raises(TypeError, "parts: expected a registered object, got int"):
        parts(1)
    with pytest.raises(TypeError):
        _core.parts(t.Point(1, 2), "3")
    with pytest.raises(TypeError):
        _core.parts(t.Point(1, 2), 2**64)


@pytest.mark.bad_input
def test_a_container_that_changes_while_its_parts_become_python_objects() -> None:
    """A collection in between runs finalizers."""

    class Clearing:
        def __del__(self) -> None:
            changed.clear()

    changed = tain.List([t.Point(i, i) for i in range(2000)])
    ring: list[Any] = [Clearing()]
    ring.append(ring)
    del ring
    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        _, total, found = parts(changed, 2000)
    finally:
        gc.set_threshold(*before)
    assert total in (0, 2000)  # as the collector comes before or meanwhile
    assert total == len(found)
    assert [value.x for _, value, _ in found] == list(range(total))
    assert len(changed) == 0
