# SPDX-License-Identifier: Apache-2.0
"""Enums of every size and sign, and flags that no member names, in Python, C++ and saved."""

from __future__ import annotations

import copy
import enum
import pickle
import sys

import enum_lib  # noqa: F401 -- compiles and loads the library
import pytest
from errors import raises

import tain
from tain.types import bounds as b

TOP = 2**64 - 1
NUMBERS = [  # (member, its number in C++)
    (b.Big.Low, 1), (b.Big.Half, 2**63), (b.Big.Top, TOP),
    (b.Deep.Bottom, -(2**63)), (b.Deep.Zero, 0), (b.Deep.Top, 2**63 - 1),
    (b.Mask.A, 1), (b.Mask.All, -1), (b.Mask(-2), -2), (b.Mask(64), 64),
    (b.Open.Read, 1), (b.Open(65), 65), (b.Open(0), 0), (b.Open(2**32 - 1), 2**32 - 1),
    (b.Rights.Owner, 2**63), (b.Rights.Owner | b.Rights.Read, 2**63 + 1), (b.Rights.All, TOP),
    (~b.Rights.Owner, 2**63 - 1), (~b.Mask.A, -2), (~b.Open.Read, 2**32 - 2),
]  # fmt: skip
NAMES = {b.Big: "big", b.Deep: "deep", b.Mask: "mask", b.Open: "open", b.Rights: "rights"}


@pytest.mark.parametrize(("member", "number"), NUMBERS, ids=str)
def test_a_member_is_its_number_on_both_sides(member: enum.Enum, number: int) -> None:
    assert int(member) == member.value == number
    assert getattr(b, f"{NAMES[type(member)]}_number")(member) == number
    assert getattr(b, f"{NAMES[type(member)]}_number")(number) == number


@pytest.mark.parametrize(("member", "number"), NUMBERS, ids=str)
def test_a_member_stays_itself(member: enum.Enum, number: int) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(member, protocol)) is member
    assert copy.deepcopy(member) is member
    assert tain.load_json(tain.save_json(tain.convert([{"x": member}])))[0]["x"] == number
    assert tain.convert(member) is member
    assert tain.load_json(tain.save_json(member)) is member
    assert tain.load_binary(tain.save_binary(member)) is member
    assert type(member)(number) is member


@pytest.mark.parametrize("cls", [b.Mask, b.Open, b.Rights], ids=lambda c: c.__name__)
def test_a_complement_is_that_of_cpp(cls: type[enum.IntFlag]) -> None:
    all_but = getattr(b, f"{NAMES[cls]}_all_but")
    for member in (*cls, *cls.__members__.values(), cls(0)):
        assert all_but(member) is ~member
        assert all_but(~member) is member


def test_bits_of_a_newer_library_survive() -> None:
    future = b.future()
    assert (int(future), future.name, repr(future)) == (65, "Read|64", "Open.Read|64")
    assert b.open_number(future & ~b.Open.Read) == 64
    assert b.open_number(future | b.Open.Write) == 67
    assert b.open_number(future ^ b.Open.Read) == 64
    assert b.Open(-2) is ~b.Open.Read  # the complement of an int of Python


def test_order_and_description() -> None:
    assert sorted([b.Big.Top, b.Big.Low, b.Big.Half]) == [b.Big.Low, b.Big.Half, b.Big.Top]
    assert list(b.Mask.__members__) == ["A", "B", "All"]
    info = tain.type_info(b.Big)
    assert [(m.value, m.cpp_value) for m in info.members] == [(1, 1), (2**63,) * 2, (TOP,) * 2]
    assert repr(info.members[2]) == f"EnumMemberInfo(Top = {TOP})"
    assert b.Holder().rights is b.Rights.Owner
    assert "rights=Rights.Owner" in repr(b.Holder())


REFUSED = [
    ("big_number", 2, "bounds.Big (Low, Half, Top)", "int (2)"),
    ("big_number", -1, "bounds.Big (Low, Half, Top)", "int (-1)"),
    ("big_number", 2**64, "bounds.Big (Low, Half, Top)", f"int ({2**64})"),
    ("open_number", 2**32, "bounds.Open (Read, Write)", f"int ({2**32})"),
    ("open_number", -1, "bounds.Open (Read, Write)", "int (-1)"),
    ("mask_number", 2**31, "bounds.Mask (A, B, All)", f"int ({2**31})"),
    ("deep_number", 2**63, "bounds.Deep (Bottom, Zero, Top)", f"int ({2**63})"),
]


@pytest.mark.parametrize(("name", "number", "expected", "got"), REFUSED)
@pytest.mark.bad_input
def test_numbers_that_the_type_cannot_hold(name: str, number: int, expected: str, got: str) -> None:
    with raises(TypeError, f"bounds.{name}: argument arg0: expected {expected}, got {got}"):
        getattr(b, name)(number)


@pytest.mark.bad_input
def test_flags_that_the_type_cannot_hold() -> None:
    with raises(ValueError, f"Open: expected int in 0..{2**32 - 1}, got {2**32}"):
        b.Open(2**32)
    # Python 3.10 converts the operand first.
    refused = 2**31 + 1 if sys.version_info >= (3, 11) else 2**31
    with raises(ValueError, f"Mask: expected int in {-(2**31)}..{2**31 - 1}, got {refused}"):
        b.Mask.A | 2**31
    with raises(ValueError, "'x' is not a valid Open"):
        b.Open("x")


def test_enums_of_python_are_unsigned_if_they_must() -> None:
    cls = tain.py_class("bounds_python.Wide")(enum.IntFlag("Wide", {"A": 1, "Top": 1 << 63}))
    assert tain.convert(cls.Top) is cls.Top
    assert tain.load_json(tain.save_json(cls.Top)) is cls.Top
    with raises(
        ValueError,
        "bounds_python.Mixed: a C++ type has negative numbers or numbers from 2**63 on, not both",
    ):
        tain.py_class("bounds_python.Mixed")(enum.IntEnum("Mixed", {"A": -1, "Top": 1 << 63}))
    with raises(OverflowError, f"bounds_python.Huge: expected int of 64 bits, got int ({1 << 64})"):
        tain.py_class("bounds_python.Huge")(enum.IntEnum("Huge", {"Top": 1 << 64}))
