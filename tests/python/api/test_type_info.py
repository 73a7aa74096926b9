# SPDX-License-Identifier: Apache-2.0
"""type_info(cls_or_key): what is registered, as objects."""

from __future__ import annotations

import pytest
from errors import raises

import tain
from tain import _core

T = tain.types.testing


def names(members: tuple[object, ...]) -> list[str]:
    return [member.name for member in members]  # type: ignore[attr-defined]


def test_by_class_key_and_subclass() -> None:
    class Sub(T.Point):
        pass

    info = tain.type_info("testing.Point")
    assert info == tain.type_info(T.Point) == tain.type_info(Sub)
    assert hash(info) == hash(tain.type_info(T.Point))
    assert info != tain.type_info("testing.Square") and info != "testing.Point"
    assert info.cls is T.Point


def test_facts_of_a_type() -> None:
    info = tain.type_info("testing.Square")
    assert (info.key, info.doc) == ("testing.Square", "A square.")
    assert info.parent == tain.type_info("testing.Shape")
    assert [parent.key for parent in info.parents] == ["testing.Shape", "ffi.Object"]
    assert info.index >= 128 and info.build == 1
    assert info.size >= 56 and info.alignment == 8
    assert info.unit == "tain_testing" and "tain_testing" in info.library


def test_arguments_whose_defaults_only_cpp_knows() -> None:
    (method,) = tain.type_info("testing.Scaled").methods
    (by,) = method.function.args
    assert (by.name, by.is_optional, by.has_default) == ("by", True, False)
    start = tain.type_info("testing.Point").constructor.args[1]
    assert (start.name, start.is_optional, start.has_default) == ("y", False, True)


def test_facts_of_a_type_of_tain_itself() -> None:
    info = tain.type_info(tain.Object)
    assert (info.key, info.index, info.parent, info.parents) == ("ffi.Object", 64, None, ())
    assert (info.library, info.unit) == (None, None)
    assert tain.type_info("ffi.Array").cls is tain.Array
    assert tain.type_info("int").cls is int


FLAGS = [
    ("testing.Shape", {"is_abstract", "is_described"}),
    ("testing.Frozen", {"is_frozen", "is_thread_safe", "has_eq", "has_hash", "is_described"}),
    ("testing.Record", {"has_eq", "has_order", "has_hash", "has_field_init", "is_described"}),
    ("testing.Uncopyable", {"is_final", "is_described"}),
    ("testing.Point", {"is_described"}),
    ("ffi.Object", set()),
]


@pytest.mark.parametrize(("key", "expected"), FLAGS)
def test_flags_of_a_type(key: str, expected: set[str]) -> None:
    info = tain.type_info(key)
    flags = [name for name in dir(info) if name.startswith(("is_", "has_"))]
    assert {name for name in flags if getattr(info, name)} == expected


def test_members_with_those_of_the_parents_first() -> None:
    info = tain.type_info("testing.Square")
    assert names(info.fields) == ["name", "side"]
    assert names(info.own_fields) == ["side"]
    assert names(info.methods) == ["area", "label", "grow", "describe"]
    assert info.own_methods == ()
    assert [field.key for field in info.fields] == ["testing.Shape", "testing.Square"]


REPRS = [
    (lambda: tain.type_info(T.Point), "TypeInfo('testing.Point', fields: x, y, methods: "),
    (lambda: tain.type_info(T.Point).fields[0], "FieldInfo(x: float)"),
    (lambda: tain.type_info(T.TestIntPair).fields[0], "FieldInfo(a: int, read-only)"),
    (lambda: tain.type_info(T.Config).fields[-1], "FieldInfo(given: int = 11)"),
    (lambda: tain.type_info(T.Config).fields[-2], "FieldInfo(made: List[int] = <factory>)"),
    (lambda: tain.type_info(T.Point).methods[0], "MethodInfo(norm(self) -> float)"),
    (
        lambda: tain.type_info(T.Point).methods[2],
        "MethodInfo(static origin() -> testing.Point)",
    ),
    (lambda: tain.type_info(T.Point).constructor.args[1], "ArgInfo(y: float = 0.0)"),
    (lambda: tain.type_info(T.Gadget).properties[0], "PropertyInfo(twice: int, read-only)"),
    (lambda: tain.type_info(T.Gadget).constants[1], "ConstantInfo(UNIT = 'cm')"),
    (lambda: tain.type_info(T.Color), "EnumInfo('testing.Color', members: RED, GREEN, BLUE)"),
    (lambda: tain.type_info(T.Mode).members[0], "EnumMemberInfo(FAST = 'fast')"),
]


@pytest.mark.parametrize(("make", "expected"), REPRS)
def test_repr(make: object, expected: str) -> None:
    text = repr(make())  # type: ignore[operator]
    assert text == expected or (expected.endswith(": ") and text.startswith(expected))


def test_nothing_but_the_registry_is_asked(run: object) -> None:
    """No class is made to describe its type."""
    code = """
        import tain
        info = tain.type_info("testing.AllKinds")
        repr(info), repr(info.fields), repr(info.constructor)
        import sys
        assert "inspect" not in sys.modules and "ctypes" not in sys.modules
        made = [cls.__name__ for cls in tain.Object.__subclasses__()]
        assert made == ["Function", "Array", "List", "Map", "Dict", "Shape", "Tensor"], made
    """
    run(code)  # type: ignore[operator]


NO_KEY = "type_info(): expected the key or the class of a registered type"
UNKNOWN = [  # (what is asked for, error, text)
    (
        "testing.Piont",
        ValueError,
        "no type is registered under the key 'testing.Piont'. Did you mean 'testing.Point', "
        "'testing.Paint', 'testing.Pin'?",
    ),
    ("nowhere.at.all", ValueError, "no type is registered under the key 'nowhere.at.all'."),
    ("", ValueError, "no type is registered under the key ''."),
    (3, TypeError, f"{NO_KEY}, got int (3)"),
    (None, TypeError, f"{NO_KEY}, got None"),
    (dict, TypeError, f"{NO_KEY}, got type (<class 'dict'>)"),
]


@pytest.mark.parametrize(("wrong", "kind", "text"), UNKNOWN)
@pytest.mark.bad_input
def test_unknown(wrong: object, kind: type[Exception], text: str) -> None:
    with raises(kind, text):
        tain.type_info(wrong)  # type: ignore[arg-type]


@pytest.mark.bad_input
def test_an_instance_is_no_class() -> None:
    with raises(
        TypeError,
        "type_info(): expected the key or the class of a registered type, got "
        "Point (testing.Point(x=1.0, y=0.0))",
    ):
        tain.type_info(T.Point(1))


@pytest.mark.bad_input
def test_infos_cannot_be_made() -> None:
    for cls in (_core.TypeInfo, _core.FieldInfo, _core.EnumInfo):
        with pytest.raises(TypeError):
            cls()
