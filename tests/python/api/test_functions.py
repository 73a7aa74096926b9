# SPDX-License-Identifier: Apache-2.0
"""The functions of tain._core that ask the registry."""

from __future__ import annotations

import pytest
from errors import raises

import tain


def add_one(x: int) -> int:
    return x + 1


@pytest.mark.bad_input
def test_missing_functions() -> None:
    assert tain.get_global_func("test_functions.nothing", allow_missing=True) is None
    with raises(ValueError, "Cannot find global function test_functions.nothing."):
        tain.get_global_func("test_functions.nothing")
    with raises(ValueError, "Cannot find global function test_functions.nothing."):
        tain.remove_global_func("test_functions.nothing")


def test_a_removed_function_can_still_be_called(free_name: str) -> None:
    tain.register_global_func(free_name, add_one)
    held = tain.get_global_func(free_name)
    tain.remove_global_func(free_name)
    assert tain.get_global_func(free_name, allow_missing=True) is None
    assert held(1) == 2


def test_keys_are_listed_sorted_by_prefix() -> None:
    assert tain.types.testing.Point
    keys = tain.type_keys("testing.")
    assert keys == sorted(keys)
    assert {"testing.Point", "testing.Color", "testing.TestIntPair"} <= set(keys)
    assert set(keys) < set(tain.type_keys())
    assert tain.type_keys("no such prefix") == []
