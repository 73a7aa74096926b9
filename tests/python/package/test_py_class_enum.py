# SPDX-License-Identifier: Apache-2.0
"""Enums defined in Python: fields of their type, and enums that C++ registered already."""

from __future__ import annotations

import enum

import pytest
from errors import raises

import tain


@tain.py_class("pyenum.Level")
class Level(enum.IntEnum):
    """How loud."""

    LOW = 1
    HIGH = 5


@tain.py_class("pyenum.Access")
class Access(enum.IntFlag):
    READ = 1
    WRITE = 2


@tain.py_class("pyenum.Mode")
class Mode(str, enum.Enum):
    FAST = "fast"
    SLOW = "slow"


@tain.py_class("pyenum.Settings")
class Settings:
    level: Level = Level.LOW
    access: Access = Access(0)
    mode: Mode = Mode.FAST
    maybe: Level | None = None


def test_fields_hold_members() -> None:
    made = Settings(Level.HIGH, Access.READ | Access.WRITE, Mode.SLOW, Level.LOW)
    assert made.level is Level.HIGH and made.access == 3 and made.mode is Mode.SLOW
    assert type(made.access) is Access and made.maybe is Level.LOW
    assert Settings().maybe is None and Settings().level is Level.LOW


def test_a_value_becomes_its_member() -> None:
    made = Settings(5)  # type: ignore[arg-type]
    assert made.level is Level.HIGH
    made.level = 1  # type: ignore[assignment]
    assert made.level is Level.LOW


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("level", 2, "pyenum.Level (LOW, HIGH), got int (2)"),
        ("access", 1 << 63, f"pyenum.Access (READ, WRITE), got int ({1 << 63})"),
        ("mode", "x", "pyenum.Mode (FAST, SLOW), got str ('x')"),
        ("maybe", "x", "pyenum.Level (LOW, HIGH) | None, got str ('x')"),
    ],
)
def test_other_values_are_refused(name: str, value: object, text: str) -> None:
    with raises(TypeError, f"Settings.{name}: expected {text}"):
        setattr(Settings(), name, value)


def test_what_is_registered() -> None:
    info = tain.type_info("pyenum.Level")
    assert info.doc == "How loud." and [member.name for member in info.members] == ["LOW", "HIGH"]
    assert tain.get_class("pyenum.Level") is Level is tain.types.pyenum.Level


def test_an_enum_of_cpp_gets_a_python_class() -> None:
    known = tain.get_class("testing.Color")
    members = {name: member.value for name, member in known.__members__.items()}
    color = enum.IntEnum("Color", members, module=__name__)
    tain.py_class("testing.Color")(color)
    try:
        assert tain.get_class("testing.Color") is color
        echoed = tain.get_global_func("testing.echo_color")(next(iter(color)))
        assert echoed is next(iter(color))
    finally:
        tain.py_class("testing.Color")(known)
    assert tain.get_class("testing.Color") is known


@pytest.mark.parametrize(
    ("members", "difference"),
    [
        ({"PINK": 1}, "RED: expected int (1), got no such member"),
        ({"RED": 1, "GREEN": 7, "BLUE": 4}, "GREEN: expected int (2), got int (7)"),
        ({"RED": 1, "GREEN": 2, "BLUE": 4, "PINK": 9}, "expected 3 members, got 4"),
    ],
)
def test_other_members_than_cpp_are_refused(members: dict[str, int], difference: str) -> None:
    text = "testing.Color: the members of the Python class are not those of the C++ enum: "
    with raises(ValueError, text + difference):
        tain.py_class("testing.Color")(enum.IntEnum("Color", members, module=__name__))


def test_an_optional_member() -> None:
    with raises(TypeError, "Settings.maybe: expected pyenum.Level (LOW, HIGH) | None, got int (3)"):
        Settings().maybe = 3  # type: ignore[assignment]


def test_an_enum_can_be_defined_again() -> None:
    def define(high: int) -> type[enum.IntEnum]:
        cls = enum.IntEnum("Again", {"LOW": 0, "HIGH": high}, module=__name__)
        return tain.py_class("pyenum.Again")(cls)

    first, second = define(1), define(2)
    assert tain.get_class("pyenum.Again") is second is not first


def test_members_that_cpp_cannot_hold() -> None:
    with raises(
        TypeError,
        "pyenum.Wrong: expected an IntEnum, IntFlag or StrEnum, whose members C++ can "
        "hold, got Enum",
    ):
        tain.py_class("pyenum.Wrong")(enum.Enum("Wrong", {"A": 1}))
    with pytest.raises((OverflowError, TypeError, ValueError, RuntimeError)):
        tain.py_class("pyenum.Wrong")(enum.IntEnum("Wrong", {"A": 2**70}))
    assert "pyenum.Wrong" not in tain.type_keys("pyenum.")
