# SPDX-License-Identifier: Apache-2.0
"""How messages describe a Python value that was given, and texts taken from Python values."""

from __future__ import annotations

from typing import Any

import pytest
from errors import raises

import tain
from tain import _core


class Odd:
    def __repr__(self) -> str:
        raise ValueError("no text")


class Stopping:
    def __repr__(self) -> str:
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (3, "int (3)"),
        ("a\0", "str ('a\\x00')"),
        ([None], "list ([None])"),
        (int, "type (<class 'int'>)"),
        (tain.types.testing.Point(1), "Point (testing.Point(x=1.0, y=0.0))"),
        (Odd(), "Odd (<unprintable Odd object>)"),
        ("x" * 99, "str ('" + "x" * 59 + "...)"),
        (list(range(99)), f"list ({str(list(range(99)))[:60]}...)"),
    ],
)
def test_what_was_given(value: object, text: str) -> None:
    assert _core.given_text(value) == text


def test_a_repr_that_asks_to_stop_is_obeyed() -> None:
    with pytest.raises(KeyboardInterrupt):
        _core.given_text(Stopping())
    with pytest.raises(KeyboardInterrupt):
        tain.device(Stopping())  # type: ignore[arg-type]


@pytest.mark.bad_input
@pytest.mark.parametrize("value", [None, 3, b"x"])
def test_what_is_no_text(value: Any) -> None:
    given = "None" if value is None else f"{type(value).__name__} ({value!r})"
    with raises(TypeError, f"get_global_func: expected str, got {given}"):
        tain.get_global_func(value)


@pytest.mark.bad_input
@pytest.mark.parametrize("name", ["a\0b", "\udc80"])
def test_names_that_cannot_be_registered(name: str) -> None:
    text = f"register_global_func: the name {name!r} is not UTF-8 text without NUL"
    with raises(ValueError, text):
        tain.register_global_func(name, print)
