# SPDX-License-Identifier: Apache-2.0
"""What type_info says of members: fields, methods, constructors, properties, constants, enums."""

from __future__ import annotations

import inspect

import pytest

import tain
from tain import _core

T = tain.types.testing


def names(members: tuple[object, ...]) -> list[str]:
    return [member.name for member in members]  # type: ignore[attr-defined]


def test_a_field() -> None:
    x, _ = tain.type_info(T.Point).fields
    assert (x.name, x.doc, x.type, x.annotation) == ("x", "abscissa", "float", float)
    assert (x.offset, x.size, x.writable, x.key) == (24, 8, True, "testing.Point")
    assert x.repr and x.compare and x.hash and x.init and not x.kw_only
    assert (x.has_default, x.default, x.default_factory) == (False, None, None)
    assert x == tain.type_info(T.Point).fields[0] != tain.type_info(T.Point).fields[1]


def test_flags_and_defaults_of_fields() -> None:
    fields = {field.name: field for field in tain.type_info(T.Config).fields}
    assert fields["rate"].kw_only
    assert not fields["secret"].repr
    assert not fields["computed"].init and not fields["computed"].writable
    assert not fields["shape"].writable
    assert fields["given"].has_default and fields["given"].default == 11
    made = fields["made"]
    assert made.has_default and made.default is None
    assert made.default_factory() == [7, 8]
    note = tain.type_info(T.Record).fields[-1]
    assert not note.compare and not note.hash


def test_a_method() -> None:
    norm, scale, origin = tain.type_info(T.Point).methods
    assert (norm.name, norm.doc, norm.key) == ("norm", "Euclidean length", "testing.Point")
    assert not norm.is_static and origin.is_static and not norm.is_virtual
    assert norm.signature == inspect.signature(T.Point.norm)
    (factor,) = scale.function.args
    assert (factor.name, factor.type, factor.annotation) == ("factor", "float", float)
    assert (factor.has_default, factor.default, factor.is_named) == (False, None, True)
    assert scale.function.return_type == "None"
    area = tain.type_info(T.Shape).methods[0]
    assert area.is_virtual and area.function.is_virtual and area.function.is_method


def test_a_constructor() -> None:
    constructor = tain.type_info(T.Point).constructor
    x, y = constructor.args
    assert constructor.is_constructor
    assert (x.has_default, y.has_default, y.default) == (False, True, 0.0)
    assert tain.type_info(T.Shape).constructor is None
    assert "__create__" not in names(tain.type_info(T.TestIntPair).methods)
    assert [arg.is_named for arg in tain.type_info(T.TestIntPair).constructor.args] == [False] * 2


def test_properties_and_constants() -> None:
    info = tain.type_info(T.Gadget)
    twice, half = info.properties
    assert (twice.name, twice.doc, twice.type, twice.writable) == (
        "twice",
        "Twice the size.",
        "int",
        False,
    )
    assert (half.annotation, half.writable, half.key) == (float, True, "testing.Gadget")
    assert [(c.name, c.value, c.doc) for c in info.constants] == [
        ("MAX_SIZE", 100, "The largest size."),
        ("UNIT", "cm", ""),
    ]


@pytest.mark.parametrize("key", ["Color", "Access", "Mode"])
def test_an_enum(key: str) -> None:
    cls = getattr(T, key)
    info = tain.type_info(f"testing.{key}")
    assert info == tain.type_info(cls) and info.cls is cls
    assert isinstance(info, _core.EnumInfo)
    assert (info.key, info.doc) == (f"testing.{key}", cls.__doc__)
    assert [(m.name, m.value) for m in info.members] == [(m.name, m.value) for m in cls]
    assert info.kind == {"Color": "int", "Access": "flag", "Mode": "str"}[key]


def test_values_of_a_string_enum_in_cpp() -> None:
    assert [member.cpp_value for member in tain.type_info(T.Mode).members] == [0, 1]
