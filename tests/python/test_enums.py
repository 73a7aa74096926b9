# SPDX-License-Identifier: Apache-2.0
"""C++ enums are enums of Python: members, values, documentation, pickling, crossing both ways."""

from __future__ import annotations

import copy
import enum
import inspect
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
@pytest.mark.parametrize("wrong", [3, "slow", None, 1.0, object()], ids=lambda x: type(x).__name__)
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


OPTIONAL = [("color", Color.GREEN, Color), ("mode", Mode.FAST, Mode), ("access", Access(5), Access)]


@pytest.mark.parametrize(("name", "member", "cls"), OPTIONAL)
def test_optional_enums_cross_as_members(name: str, member: enum.Enum, cls: type) -> None:
    echo = tain.get_global_func(f"testing.echo_optional_{name}")
    for given in (member, member.value):
        found = echo(given)
        assert found == member
        assert type(found) is cls
    assert echo(None) is None
    with pytest.raises(TypeError) as caught:
        echo([1])
    assert str(caught.value).startswith(
        f"testing.echo_optional_{name}: argument {name}: expected a testing.{cls.__name__} ("
    )
    assert str(caught.value).endswith("), got list ([1])")


def test_optional_enums_as_fields_properties_and_results() -> None:
    palette = T.Palette()
    assert (palette.main, palette.mode, palette.access) == (None, Mode.SAFE, None)
    assert type(palette.mode) is Mode
    palette.main, palette.mode, palette.access = Color.RED, "fast", 3
    assert palette.main is Color.RED
    assert palette.mode is Mode.FAST
    assert palette.access == Access.READ | Access.WRITE
    assert type(palette.access) is Access
    assert repr(palette) == (
        "testing.Palette(main=testing.Color.RED, mode=testing.Mode.FAST, access=3)"
    )
    assert palette.second is None
    palette.second = Color.BLUE
    assert palette.second is Color.BLUE
    assert palette.best() is Color.RED
    palette.main = None
    assert palette.best() is Color.BLUE
    palette.second = None
    assert palette.best() is None
    assert T.Palette(main=Color.GREEN, mode=None).main is Color.GREEN
    again = pickle.loads(pickle.dumps(T.Palette(main=4)))
    assert again.main is Color.BLUE
    assert str(inspect.signature(T.Palette.best)).endswith("-> tain.types.testing.Color | None")
