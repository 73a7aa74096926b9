# SPDX-License-Identifier: Apache-2.0
"""C++ enums are enums of Python: members, values, documentation, pickling, crossing both ways."""

from __future__ import annotations

import copy
import enum
import inspect
import pickle
from collections.abc import Callable

import pytest
from errors import raises
from testing_functions import get

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
    assert run(f"import pickle; print(repr(pickle.loads({data!r})))") == "Mode.SAFE\n"


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


TAKES = {
    "echo_color": "argument color: expected testing.Color (RED, GREEN, BLUE)",
    "echo_mode": "argument mode: expected testing.Mode (FAST, SAFE)",
}


@pytest.mark.parametrize("name", TAKES)
@pytest.mark.parametrize("wrong", [3, "slow", None, 1.0, object()], ids=lambda x: type(x).__name__)
@pytest.mark.bad_input
def test_no_member(name: str, wrong: object) -> None:
    given = "None" if wrong is None else f"{type(wrong).__name__} ({wrong!r})"
    with raises(TypeError, f"testing.{name}: {TAKES[name]}, got {given}"):
        tain.get_global_func(f"testing.{name}")(wrong)


WRONG = [  # (function, member, how the error names it)
    ("echo_color", Mode.FAST, "Mode (Mode.FAST)"),
    ("echo_mode", Color.RED, "Color (Color.RED)"),
    ("echo_color", Access.READ, "Access (Access.READ)"),
]


@pytest.mark.parametrize(("name", "wrong", "given"), WRONG)
@pytest.mark.bad_input
def test_a_member_of_another_enum(name: str, wrong: enum.Enum, given: str) -> None:
    with raises(TypeError, f"testing.{name}: {TAKES[name]}, got {given}"):
        tain.get_global_func(f"testing.{name}")(wrong)


MEMBERS = [Color.RED, Mode.SAFE, Access.READ, Access.READ | Access.WRITE, Access(0)]


@pytest.mark.parametrize("member", MEMBERS, ids=str)
def test_through_any_they_are_themselves(member: enum.Enum) -> None:
    assert get("echo")(member) is member
    assert get("echo_any_view")(member) is member
    assert tain.convert(member) is member
    assert get("apply")(lambda x: x, member) is member
    assert get("apply")(lambda: member) is member
    assert tain.convert(lambda x: [x])(member)[0] == member
    assert get("apply")(get("echo"), member) is member


@pytest.mark.parametrize("member", MEMBERS, ids=str)
def test_inside_containers_they_are_their_value(member: enum.Enum) -> None:
    """Which an Array of numbers, of which C++ sees the memory, could not be otherwise."""
    plain = str if isinstance(member, str) else int
    elements = tain.List([member])
    elements.append(member)
    assert elements == [member, member] == [member.value] * 2
    assert {type(x) for x in (*elements, get("echo")([member])[0])} == {plain}
    assert type(get("echo")({"key": member})["key"]) is plain
    assert member in elements and elements.index(member) == 0
    assert hash(tain.Array([member])) == hash((member,))
    echo = get("echo_list_int" if plain is int else "echo_list")
    assert echo(elements) is elements


def test_a_key_is_their_value() -> None:
    """So that what is equal finds it."""
    for member, other in ((Color.RED, 1), (Mode.FAST, "fast"), (Access.WRITE, 2)):
        for made in (tain.Dict({member: "a"}), tain.Dict({other: "a"}), tain.Map({member: "a"})):
            assert made[member] == made[other] == "a"
            assert member in made and made.get(member) == "a"
            assert list(made) == [other] and type(next(iter(made))) in (int, str)
            assert made == {member: "a"} == {other: "a"}
            assert get("apply")(made.get, member) == "a"
        assert tain.Dict({(member, 1): "a"})[(other, 1)] == "a"
        changed = tain.Dict()
        changed[member] = 1
        changed[other] = 2
        assert changed.setdefault(member, 3) == changed.pop(member) == 2
        assert len(changed) == 0


TYPED = [
    ("int8", Color.BLUE, 4),
    ("int64", Access.READ | Access.WRITE, 3),
    ("uint64", Color.RED, 1),
    ("long_long", Color.RED, 1),
    ("float", Color.BLUE, 4.0),
    ("str", Mode.FAST, "fast"),
    ("string", Mode.FAST, "fast"),
    ("string_view", Mode.FAST, "fast"),
    ("c_str", Mode.FAST, "fast"),
    ("optional_int", Color.RED, 1),
    ("optional_str", Mode.FAST, "fast"),
    ("variant_int_str", Color.RED, 1),
    ("variant_int_str", Mode.FAST, "fast"),
    ("std_variant_int_str", Mode.FAST, "fast"),
    ("std_optional_int", Color.RED, 1),
    ("std_path", Mode.FAST, "fast"),
    ("array_int", [Color.RED, 2], [1, 2]),
    ("array_str", [Mode.FAST, "x"], ["fast", "x"]),
    ("dict_str_int", {Mode.FAST: Color.RED}, {"fast": 1}),
    ("std_vector_int", [Color.RED], [1]),
    ("std_map_str_int", {Mode.FAST: Color.BLUE}, {"fast": 4}),
    ("tuple_int_str", (Color.RED, Mode.SAFE), (1, "safe")),
]


@pytest.mark.parametrize(("name", "given", "expected"), TYPED)
def test_where_a_number_or_text_is_asked_for(name: str, given: object, expected: object) -> None:
    found = get(f"echo_{name}")(given)
    if isinstance(expected, str):
        found = str(found)
        assert type(found) is str
    elif isinstance(expected, int | float):
        assert type(found) is type(expected)
    assert found == expected
    assert type(next(iter(found))) in (int, str) if isinstance(expected, list) else True


@pytest.mark.bad_input
def test_what_they_are_not() -> None:
    for name, expected, given in [
        ("str", "str", Color.RED),
        ("int64", "int", Mode.FAST),
        ("bool", "bool", Color.RED),
        ("bytes", "bytes", Mode.FAST),
        ("array_int", "Array[int]", Mode.FAST),
        ("array_str", "Array[str]", Mode.FAST),
        ("std_vector_str", "Array[str]", Mode.FAST),
        ("dict_str_int", "Dict[str, int]", Mode.FAST),
        ("point", "testing.Point", Color.RED),
        ("double", "float", Mode.FAST),
    ]:
        got = "int (1)" if given is Color.RED else "str ('fast')"
        with raises(TypeError, f"testing.echo_{name}: argument x: expected {expected}, got {got}"):
            get(f"echo_{name}")(given)
    with raises(OverflowError, "testing.echo_int8: argument x: expected int in -128..127, got 200"):
        get("echo_int8")(Wide.MANY)


def test_flags_are_no_sequences() -> None:
    for name, expected in (
        ("array_int", "Array[int]"),
        ("std_vector_int", "Array[int]"),
        ("std_set_int", "Array[int]"),
        ("shape", "Shape"),
        ("map_str_int", "Map[str, int]"),
    ):
        with raises(
            TypeError, f"testing.echo_{name}: argument x: expected {expected}, got int (3)"
        ):
            get(f"echo_{name}")(Access.READ | Access.WRITE)


def test_paths() -> None:
    class Wrapped:
        def __fspath__(self) -> str:
            return Mode.FAST

    assert str(get("echo_std_path")(Wrapped())) == "fast"


def test_overloads_see_their_value() -> None:
    kind = get("kind")
    apply = get("apply")
    for member, name in ((Color.RED, "int"), (Access(3), "int"), (Mode.FAST, "str")):
        assert kind(member) == apply(kind, member) == name
    assert [kind(Color.RED), kind(Access(3)), kind(Mode.FAST)] == ["int", "int", "str"]
    assert kind(Color.RED, "km") == "float in km"


@tain.py_class("test_enums.Wide")
class Wide(enum.IntEnum):
    MANY = 200
    HUGE = 2**63 - 1


def test_enums_of_python_too() -> None:
    echo = get("echo")
    assert echo(Wide.MANY) is Wide.MANY and echo([Wide.HUGE])[0] == Wide.HUGE
    assert get("echo_int64")(Wide.HUGE) == Wide.HUGE

    @tain.py_class("test_enums.Holder")
    class Holder(tain.Object):
        anything: object
        wide: Wide
        number: int
        text: str

    made = Holder(Wide.MANY, Wide.HUGE, Wide.MANY, Mode.FAST)
    assert made.anything is Wide.MANY and made.wide is Wide.HUGE
    assert (made.number, made.text) == (200, "fast")
    assert type(made.number) is int and type(made.text) is str
    with raises(
        TypeError,
        "Holder.wide: expected test_enums.Wide (MANY, HUGE), got Color (Color.RED)",
    ):
        made.wide = Color.RED


def test_text_of_string_enums_is_their_value() -> None:
    assert str(Mode.FAST) == f"{Mode.FAST}" == "fast"
    assert Mode.FAST == "fast" and hash(Mode.FAST) == hash("fast")
    assert Mode("safe") is Mode.SAFE


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
    members = ", ".join(cls.__members__)
    text = f"argument {name}: expected testing.{cls.__name__} ({members}) | None, got list ([1])"
    with raises(TypeError, f"testing.echo_optional_{name}: {text}"):
        echo([1])


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
        "testing.Palette(main=Color.RED, mode=Mode.FAST, access=Access.READ|Access.WRITE)"
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
