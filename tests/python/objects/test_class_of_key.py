# SPDX-License-Identifier: Apache-2.0
"""The Python class or enum of a type key."""

from __future__ import annotations

import enum

import pytest
from c_keys import register_key
from errors import raises

import tain


@pytest.mark.parametrize(
    ("key", "cls"),
    [
        ("ffi.Object", tain.Object),
        ("ffi.Array", tain.Array),
        ("ffi.Shape", tain.Shape),
        ("ffi.Function", tain.Function),
        ("ffi.Error", tain.Error),
        ("ffi.String", str),
        ("ffi.BigInt", int),
        ("ffi.OpaquePyObject", object),
        ("int", int),
        ("bool", bool),
        ("None", type(None)),
    ],
)
def test_types_of_tain_itself(key: str, cls: type) -> None:
    assert tain.get_class(key) is cls


def test_registered_types_and_enums() -> None:
    assert tain.get_class("testing.Point") is tain.types.testing.Point
    assert tain.get_class("testing.Color") is tain.types.testing.Color
    assert issubclass(tain.get_class("testing.Color"), enum.Enum)


def test_a_key_that_is_registered_later() -> None:
    key = "test_class_of_key.Later"
    with raises(ValueError, f"no type is registered under the key '{key}'."):
        tain.get_class(key)
    register_key(key)
    assert tain.get_class(key).__name__ == "Later"


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("", ""),
        (".", ""),
        ("testing.", ""),
        (".Point", ""),
        ("testing.Point.", " Did you mean 'testing.Point', 'testing.Paint', 'testing.Coin'?"),
        ("ffi.object", " Did you mean 'ffi.Object'?"),
    ],
)
def test_keys_that_are_almost_one(key: str, hint: str) -> None:
    with raises(ValueError, f"no type is registered under the key '{key}'.{hint}"):
        tain.get_class(key)
