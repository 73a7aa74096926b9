# SPDX-License-Identifier: Apache-2.0
"""Lenient parameters: bytes as text, truth values as bool; strict parameters stay as they are."""

from __future__ import annotations

import collections
import fractions
import gc
import inspect
import weakref
from typing import Any

import numpy as np
import pytest
from errors import raises
from testing_functions import get

import tain
from tain.types import testing as t


class Truthy:
    def __init__(self, truth: object) -> None:
        self.truth = truth

    def __bool__(self) -> Any:
        return self.truth


TEXTS = [
    ("lenient_text", b"abc", "abc"),
    ("lenient_text", "abc", "abc"),
    ("lenient_text", b"long enough to be allocated", "long enough to be allocated"),
    ("lenient_text", bytearray(b"xy"), "xy"),
    ("lenient_text", b"a\0b", "a\0b"),
    ("lenient_text", b"", ""),
    ("lenient_size", b"\xff\0\xfe", 3),
    ("lenient_size", "abc", 3),
    ("lenient_string", b"abc", "abc"),
    ("lenient_optional", b"abc", "abc"),
    ("lenient_optional", None, None),
    ("lenient_texts", [b"a", "b"], ["a", "b"]),
    ("lenient_texts", (x for x in (b"a", "b")), ["a", "b"]),
    ("lenient_set", {b"a", "b"}, ["a", "b"]),
    ("lenient_table", {b"k": [b"v", "w"], "l": []}, {"k": ["v", "w"], "l": []}),
    ("lenient_table", collections.ChainMap({b"k": (b"v",)}), {"k": ["v"]}),
    ("lenient_overload", b"x", "bytes"),
    ("lenient_overload", "x", "str"),
]


@pytest.mark.parametrize(("name", "value", "expected"), TEXTS)
def test_text_may_be_bytes(name: str, value: object, expected: object) -> None:
    assert get(name)(value) == expected


BOOLS = [
    *[(1, True), (0, False), (-2, True), (0.0, False), (0.5, True), (None, False)],
    *[(True, True), (False, False), (2**70, True), (Truthy(True), True), (Truthy(False), False)],
    *[(np.bool_(True), True), (np.int8(0), False), (np.float32(2), True)],
    (fractions.Fraction(1, 2), True),
]


@pytest.mark.parametrize(("value", "expected"), BOOLS)
def test_a_bool_may_be_a_truth_value(value: object, expected: bool) -> None:
    assert get("lenient_bool")(value) is expected
    assert get("lenient_test")(lambda _: value) is expected


REFUSED = [
    ("strict_text", b"abc", "argument x: expected str, got bytes (b'abc')"),
    ("lenient_text", 5, "argument x: expected str, got int (5)"),
    ("lenient_text", [b"a"], "argument x: expected str, got list ([b'a'])"),
    ("lenient_texts", [b"a", 5], "argument x[1]: expected str, got int (5)"),
    ("lenient_texts", {b"a"}, "argument x: expected Array[str], got set ({b'a'})"),
    ("lenient_texts", b"a", "argument x: expected Array[str], got bytes (b'a')"),
    ("lenient_table", {b"k": [], "k": []}, "argument x: key: expected str, got bytes (b'k')"),
    ("lenient_list", tain.List([b"a"]), "argument x[0]: expected str, got bytes (b'a')"),
    ("lenient_bool", "x", "argument x: expected bool, got str ('x')"),
    ("lenient_bool", [1], "argument x: expected bool, got list ([1])"),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("name", "value", "message"), REFUSED)
def test_other_values_are_refused(name: str, value: object, message: str) -> None:
    with raises(TypeError, f"testing.{name}: {message}"):
        get(name)(value)


@pytest.mark.bad_input
def test_only_the_parameter_that_says_so_is_lenient() -> None:
    assert get("lenient_first")(b"a", "b") == "ab"
    with raises(TypeError, "testing.lenient_first: argument b: expected str, got bytes (b'b')"):
        get("lenient_first")("a", b"b")


@pytest.mark.bad_input
def test_results_of_callbacks() -> None:
    with raises(TypeError, "result of the callback <lambda>: expected bool, got int (1)"):
        get("strict_test")(lambda x: 1)
    with raises(TypeError, "result of the callback <lambda>: expected bool, got str ('x')"):
        get("lenient_test")(lambda x: "x")
    with raises(TypeError, "result of the callback <lambda>: expected str, got bytes (b'x')"):
        get("strict_says")(lambda: b"x")
    assert get("lenient_says")(lambda: b"x") == "x"
    with raises(ValueError, "no truth"):
        get("lenient_test")(lambda x: Truthful())


class Truthful:
    def __bool__(self) -> bool:
        raise ValueError("no truth")


def test_a_lenient_callback_returns_as_itself_and_is_collected() -> None:
    def f(x: int) -> int:
        return x

    returned = get("lenient_callback")(f)
    assert returned(1) == 1
    gone = weakref.ref(f)
    del f, returned
    gc.collect()
    assert gone() is None


def test_setters_are_lenient() -> None:
    ported = t.Ported()
    ported.shown = b"bytes"
    assert ported.shown == "bytes"


def test_signatures_say_what_is_taken() -> None:
    assert str(inspect.signature(get("lenient_text"))) == "(x: str | bytes) -> str"
