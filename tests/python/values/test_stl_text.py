# SPDX-License-Identifier: Apache-2.0
"""Paths with a NUL, time spans of any length, std::nullopt, pointers, and buffers in messages."""

from __future__ import annotations

import ctypes
import datetime
import fractions
from collections.abc import Callable

import enum_lib  # noqa: F401 -- compiles and loads the library
import pytest
from errors import raises

import tain
from tain.types import bounds as b

NUL = "secret.key\0.txt"


class Path:
    def __fspath__(self) -> str:
        return NUL

    def __repr__(self) -> str:
        return "Path()"


GIVEN = [
    (NUL, r"str ('secret.key\x00.txt')"),
    (NUL.encode(), r"bytes (b'secret.key\x00.txt')"),
    (Path(), "Path (Path())"),
]
PLACES: dict[str, Callable[[object], object]] = {
    "bounds.extension: argument path": lambda p: b.extension(p),
    "bounds.paths: argument paths[1]": lambda p: b.paths(["a", p]),
    "bounds.path_or_int: argument path": lambda p: b.path_or_int(p),
    "Paths.path": lambda p: setattr(b.Paths(), "path", p),
    "result of the callback <lambda>": lambda p: b.path_from(lambda: p),
}


@pytest.mark.parametrize(("path", "got"), GIVEN, ids=["str", "bytes", "fspath"])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.bad_input
def test_a_path_with_a_nul_is_refused(place: str, path: object, got: str) -> None:
    text = f"{place}: expected path without an embedded null character, got {got}"
    with raises(ValueError, text):
        PLACES[place](path)


def test_other_paths() -> None:
    assert b.extension("secret.txt") == ".txt" and b.extension(b"a.key") == ".key"
    assert (b.path_or_int("a"), b.path_or_int(1)) == (1, 0)


SPANS = [
    datetime.timedelta(days=days, microseconds=micros)
    for days in (0, 1, 106751991, -106751992, 500000000, -123456789, 999999999, -999999999)
    for micros in (0, 1, 499, 500, 500000, 999999)
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("name", "den"), [("seconds", 1), ("millis", 1000)])
def test_time_spans_are_exact_or_refused(name: str, den: int) -> None:
    wanted = {"seconds": "seconds", "millis": "milliseconds"}[name]
    for span in SPANS:
        ticks = fractions.Fraction(span // datetime.timedelta(microseconds=1) * den, 10**6)
        if ticks.denominator == 1:
            assert getattr(b, name)(span) == ticks
        else:
            text = f"expected float (seconds) that is a whole number of {wanted}, got timedelta"
            with raises(ValueError, f"bounds.{name}: argument arg0: {text} ({span!r})"):
                getattr(b, name)(span)


def test_time_spans_as_floats() -> None:
    for span in SPANS:
        assert b.real_seconds(span) == pytest.approx(span.total_seconds(), rel=2**-52, abs=0)


@pytest.mark.bad_input
@pytest.mark.parametrize("days", [106752, -106752, 106751991, 999999999, -999999999])
def test_time_spans_that_do_not_fit(days: int) -> None:
    with pytest.raises(OverflowError, match=r"^bounds\.nanos: argument arg0: expected float in "):
        b.nanos(datetime.timedelta(days=days))
    with pytest.raises(
        OverflowError, match=r"expected float in -214748364\.8\.\.214748364\.7, got"
    ):
        b.tenths(datetime.timedelta(days=days))


def test_nullopt_is_a_default() -> None:
    assert (b.maybe(), b.maybe(3), b.maybe(None)) == (-1, 3, -1)


@pytest.mark.bad_input
def test_a_name_makes_no_pointer() -> None:
    assert b.pointer(ctypes.c_void_p(5)) == 5
    assert b.pointer(type("Mine", (ctypes.c_void_p,), {})(5)) == 5
    fake = type("c_void_p", (), {"value": 5, "__repr__": lambda self: "fake"})()
    with raises(
        TypeError,
        "bounds.pointer: argument arg0: expected ctypes.c_void_p | None, got c_void_p (fake)",
    ):
        b.pointer(fake)
    assert tain.convert(fake) is fake


@pytest.mark.bad_input
@pytest.mark.parametrize("text", [b"", b"x", b"1234567", b"long enough"])
def test_messages_name_the_buffer(text: bytes) -> None:
    for value in (bytearray(text), memoryview(text)):
        for name, expected in (("int", "int"), ("extension", "str"), ("doubles", "Array[float]")):
            if name == "extension":
                continue  # a path takes bytes
            with pytest.raises(TypeError) as caught:
                getattr(b, name)(value)
            start = f"bounds.{name}: argument arg0: expected {expected}, got "
            assert str(caught.value).startswith(start + type(value).__name__)


def test_few_bytes_of_a_buffer_are_bytes() -> None:
    for text in (b"", b"x", b"1234567", b"12345678"):
        stored = tain.convert(bytearray(text))
        assert type(stored) is bytes and stored == text
        found = tain.Map({text: 1})
        assert found[tain.convert([bytearray(text)])[0]] == 1
