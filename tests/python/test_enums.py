# SPDX-License-Identifier: Apache-2.0
"""C++ enums are enums of Python: members, values, documentation, pickling, crossing both ways."""

from __future__ import annotations

import copy
import enum
import pickle
import re
from collections.abc import Callable

import pytest

import tain

T = tain.types.testing
Color, Access, Mode = T.Color, T.Access, T.Mode

KINDS = [
    (Color, enum.IntEnum, {"RED": 1, "GREEN": 2, "BLUE": 4}, "Colors."),
    (Access, enum.IntFlag, {"READ": 1, "WRITE": 2, "EXECUTE": 4}, "Rights."),
    (Mode, getattr(enum, "StrEnum", str), {"FAST": "fast", "SAFE": "safe"}, "Ways to work."),
]


@pytest.mark.parametrize(("cls", "base", "members", "doc"), KINDS)
def test_kind_members_and_place(
    cls: type[enum.Enum], base: type, members: dict[str, object], doc: str
) -> None:
    assert issubclass(cls, base) and issubclass(cls, enum.Enum)
    assert {name: member.value for name, member in cls.__members__.items()} == members
    assert cls.__doc__ == doc
    assert cls.__module__ == "tain.types.testing"
    assert getattr(T, cls.__qualname__) is cls
    assert tain.get_class(f"testing.{cls.__name__}") is cls


def test_members_have_documentation() -> None:
    assert Color.RED.__doc__ == "like a rose"
    assert Mode.FAST.__doc__ == "quickly"


@pytest.mark.parametrize(
    "member", [*Color, *Access, *Mode, Access.READ | Access.WRITE, Access(0)], ids=str
)
def test_members_are_pickled_and_copied_as_themselves(member: enum.Enum) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(member, protocol)) == member
    assert copy.deepcopy(member) == member
    assert type(pickle.loads(pickle.dumps(member))) is type(member)


def test_a_pickled_member_finds_its_class_in_another_process(run: Callable[..., str]) -> None:
    data = pickle.dumps(Mode.SAFE)
    assert run(f"import pickle; print(repr(pickle.loads({data!r})))") == "<Mode.SAFE: 'safe'>\n"


CROSSING = [
    ("echo_color", Color.GREEN, Color.GREEN),
    ("echo_color", 4, Color.BLUE),
    ("echo_access", Access.READ, Access.READ),
    ("echo_access", Access.READ | Access.EXECUTE, Access.READ | Access.EXECUTE),
    ("echo_access", 6, Access.WRITE | Access.EXECUTE),
    ("echo_mode", Mode.FAST, Mode.FAST),
    ("echo_mode", "safe", Mode.SAFE),
]


@pytest.mark.parametrize(("name", "given", "expected"), CROSSING)
def test_functions_take_and_return_members(name: str, given: object, expected: enum.Enum) -> None:
    found = tain.get_global_func(f"testing.{name}")(given)
    assert found == expected
    assert type(found) is type(expected)
    if found.name in type(expected).__members__:
        assert found is expected


def test_defaults_are_members() -> None:
    assert tain.get_global_func("testing.next_color")() is Color.GREEN
    assert tain.get_global_func("testing.echo_mode")() is Mode.SAFE


def test_fields_are_members() -> None:
    kinds = T.AllKinds()
    assert kinds.color is Color.RED and kinds.access is Access.READ and kinds.mode is Mode.FAST
    kinds.color, kinds.mode, kinds.access = Color.BLUE, "safe", Access.READ | Access.WRITE
    assert kinds.color is Color.BLUE and kinds.mode is Mode.SAFE
    assert kinds.access == 3 and isinstance(kinds.access, Access)


@pytest.mark.parametrize("name", ["echo_color", "echo_mode"])
@pytest.mark.parametrize("wrong", [3, "slow", None, 1.0, object()], ids=repr)
@pytest.mark.bad_input
def test_no_member(name: str, wrong: object) -> None:
    cls = "testing.Color" if name == "echo_color" else "testing.Mode"
    with pytest.raises((TypeError, ValueError), match=re.escape(f"expected a {cls} (")):
        tain.get_global_func(f"testing.{name}")(wrong)


def test_text_of_string_enums_is_their_value() -> None:
    assert str(Mode.FAST) == f"{Mode.FAST}" == "fast"
    assert Mode.FAST == "fast" and hash(Mode.FAST) == hash("fast")
    assert Mode("safe") is Mode.SAFE


def test_the_class_is_made_once() -> None:
    assert tain.get_class("testing.Color") is tain.types.testing.Color is Color


def test_enums_cannot_be_extended() -> None:
    with pytest.raises(TypeError, match=r"extend|subclass"):

        class More(Color):
            PINK = 5
