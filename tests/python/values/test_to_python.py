# SPDX-License-Identifier: Apache-2.0
"""C++ values as Python objects: their types, and the one object that each function is."""

from __future__ import annotations

import decimal
import enum

import pytest
from errors import raises
from hypothesis import given
from hypothesis import strategies as st
from testing_functions import get

import tain

ECHOED = [
    None, True, False, 0, -1, 2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 2**1000, -(2**1000),
    0.0, 1.5, 1e300, float("inf"), "", "seven77", "eight888", "ä" * 100, "a\0b", "\0" * 20,
    "\udc80", "\ud800 and more text", "😀" * 3, b"", b"\0\xff", b"x" * 100,
]  # fmt: skip


@pytest.mark.parametrize("value", ECHOED, ids=lambda value: repr(value)[:20])
def test_values_come_back(value: object) -> None:
    result = get("echo")(value)
    assert result == value
    assert type(result) is type(value)
    assert get("apply")(lambda x: x, value) == value


def test_functions_return_functions() -> None:
    add = get("make_adder")(3)
    assert isinstance(add, tain.Function)
    assert add(4) == 7
    with raises(TypeError, "argument 0: expected int, got str ('x')"):
        add("x")
    with raises(TypeError, "this function takes 1 argument but 0 were given"):
        add()
    curried = get("echo_function")(lambda a: lambda b: lambda c: a + b + c)
    assert curried(1)(2)(3) == 6


def test_the_same_function_is_one_object() -> None:
    assert get("echo") is get("echo")
    add = get("make_adder")(1)
    assert get("echo")(add) is add


class Plain:
    pass


class Colour(enum.Enum):
    RED = 1


def exact(result: object, value: object) -> bool:
    return type(result) is type(value) and (result == value or value != value)


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec=None))
    | st.binary()
    | st.sampled_from([Colour.RED, 1j, Plain, frozenset([1]), decimal.Decimal(1)])
)
KEYS = st.text() | st.integers() | st.binary()
NESTED = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.lists(inner, max_size=5).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=5)
    ),
    max_leaves=20,
)


def came_back(result: object, value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return (
            type(result) is tain.Array
            and len(result) == len(value)
            and all(map(came_back, result, value))
        )
    if isinstance(value, dict):
        return (
            type(result) is tain.Map
            and list(map(type, result)) == list(map(type, value))
            and list(result) == list(value)
            and all(map(came_back, result.values(), value.values()))
        )
    if value is None or type(value) in (bool, int, float, str, bytes):
        return exact(result, value)
    return result is value


@given(NESTED)
def test_nested_values_come_back_as_the_rules_say(value: object) -> None:
    assert came_back(get("echo")(value), value)


@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_vectors_come_back(values: list[int]) -> None:
    assert get("echo_std_vector_int")(values) == values
    assert get("echo_std_set_int")(set(values)) == sorted(set(values))
