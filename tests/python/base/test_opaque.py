# SPDX-License-Identifier: Apache-2.0
"""Python values that C++ holds without looking into them."""

from __future__ import annotations

import gc
import weakref

from tain.types.testing import Node
from testing_functions import get

import tain
from tain import Array, Dict

ECHO = get("echo")


class Odd:
    """Nothing that C++ knows."""


def held() -> int:
    gc.collect()
    return tain.testing.live_objects().get("ffi.OpaquePyObject", 0)


def test_they_come_back_as_themselves() -> None:
    odd, node = Odd(), Node()
    assert ECHO(odd) is odd
    node.payload = odd
    assert node.payload is odd
    assert Array([odd])[0] is odd
    assert Dict({"key": odd})["key"] is odd
    assert get("apply")(lambda value: value, odd) is odd


def test_cpp_holds_one_reference_as_long_as_it_needs_the_value() -> None:
    before, node, odd = held(), Node(), Odd()
    reference = weakref.ref(odd)
    node.payload = odd
    del odd
    assert held() == before + 1
    assert reference() is node.payload
    node.payload = None
    assert reference() is None
    assert held() == before


def test_a_cycle_through_one_is_collected() -> None:
    node, odd = Node(), Odd()
    node.payload, odd.node = odd, node
    reference = weakref.ref(odd)
    del node, odd
    gc.collect()
    assert reference() is None


def test_they_are_equal_as_in_python() -> None:
    odd, other = Odd(), Odd()
    array = Array([odd])
    assert array.index(odd) == 0
    assert other not in array
    assert array == [odd] and array != [other]
    assert {odd: 1} == Dict({odd: 1}) and other not in Dict({odd: 1})
