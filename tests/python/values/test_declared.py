# SPDX-License-Identifier: Apache-2.0
"""What C++ declares as a pair or a tuple is a tuple in Python; what it declares as Any is not."""

from __future__ import annotations

import inspect

import pytest
from errors import raises
from tain.types.testing import Shelf
from testing_functions import get

import tain


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("nested_tuple", (), (1, ("a", 0.5))),
        ("maybe_pair", (True,), (1, 2)),
        ("maybe_pair", (False,), None),
        ("empty_tuple", (), ()),
        ("echo_tuple_int_str", ([5, "x"],), (5, "x")),
        ("echo_std_tuple", ((1, "a", 2),), (1, "a", 2.0)),
    ],
)
def test_results(name: str, args: tuple[object, ...], expected: object) -> None:
    made = get(name)(*args)
    assert made == expected
    assert type(made) is type(expected)


def test_the_inner_tuple_is_a_tuple_too() -> None:
    assert type(get("nested_tuple")()[1]) is tuple
    assert str(inspect.signature(get("nested_tuple"))).endswith("-> tuple[int, tuple[str, float]]")


def test_any_is_an_array() -> None:
    assert type(get("any_pair")()) is tain.Array
    assert type(Shelf().any) is tain.Array


@pytest.mark.parametrize(
    ("name", "value", "new"),
    [
        ("pair", (1, "one"), (5, "five")),
        ("fixed", (2, "two"), (6, "six")),
        ("maybe", None, (7, 8)),
    ],
)
def test_fields(name: str, value: object, new: object) -> None:
    shelf = Shelf()
    assert getattr(shelf, name) == value
    assert type(getattr(shelf, name)) is type(value)
    setattr(shelf, name, new)
    assert getattr(shelf, name) == new
    assert type(getattr(shelf, name)) is tuple


def test_properties() -> None:
    assert Shelf().as_property == (1, "one")
    assert type(Shelf().as_property) is tuple


@pytest.mark.bad_input
def test_a_value_that_is_no_tuple() -> None:
    with raises(TypeError, "Shelf.pair: expected tuple[int, str] of 2 elements, got 3"):
        Shelf().pair = (1, "a", 2)


def test_a_list_beside_an_immutable_alternative_checks_its_elements() -> None:
    @tain.py_class("declared.Either")
    class Either(tain.Object):
        value: tain.List[int] | tain.Map[str, int]
        two: tain.List[int] | tain.Dict[str, int]

    either = Either(tain.List([1]), tain.List([1]))
    with raises(TypeError, "List[int]: expected int, got str ('x')"):
        either.value.append("x")
    either.two.append("x")  # which of the two a container is, is not known
    assert list(either.two) == [1, "x"]
