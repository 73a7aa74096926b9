# SPDX-License-Identifier: Apache-2.0
"""Registered types as dataclasses see them: fields, replace, asdict, and dataclasses on top."""

from __future__ import annotations

import copy
import dataclasses
import sys

import pytest
from errors import empty_text, raises

import tain
from tain.types import testing as t


def test_fields_are_those_of_the_registration() -> None:
    assert dataclasses.is_dataclass(t.Config)
    assert dataclasses.is_dataclass(t.Config())
    fields = {field.name: field for field in dataclasses.fields(t.Config)}
    assert list(fields) == [field.name for field in tain.type_info(t.Config).fields]
    assert fields["size"].type is int
    assert (fields["size"].default, fields["size"].init) == (10, True)
    assert fields["rate"].kw_only
    assert fields["made"].default_factory() == t.Config().made
    assert not fields["computed"].init  # no parameter of the constructor
    assert fields["name"].default == "unnamed"
    assert fields["name"].metadata["doc"] == tain.type_info(t.Config).fields[0].doc


def test_containers_are_no_dataclasses() -> None:
    assert not dataclasses.is_dataclass(tain.Array)


def test_replace() -> None:
    made = dataclasses.replace(t.Point(1, 2), y=5)
    assert (type(made), made.x, made.y) == (t.Point, 1.0, 5.0)
    with pytest.raises(TypeError):
        dataclasses.replace(t.Point(1, 2), z=5)


def test_asdict_and_astuple() -> None:
    holder = t.Holder(t.Point(1, 2))
    assert dataclasses.asdict(holder) == {"point": {"x": 1.0, "y": 2.0}}
    assert dataclasses.astuple(holder) == ((1.0, 2.0),)


def replaced(obj: object, **changes: object) -> object:
    if sys.version_info >= (3, 13):
        return copy.replace(obj, **changes)
    return obj.__replace__(**changes)


def test_copy_replace() -> None:
    assert replaced(t.Point(1, 2), x=4).x == 4.0
    mixed = t.Mixed(1.5)
    mixed.tag = 7  # writable, but no parameter of the constructor
    assert (replaced(mixed, value=2.5).value, replaced(mixed, value=2.5).tag) == (2.5, 7)
    assert replaced(mixed, tag=9).tag == 9
    assert replaced(t.Frozen(5), value=6).value == 6


@pytest.mark.bad_input
def test_copy_replace_says_what_is_wrong() -> None:
    with raises(TypeError, "testing.Mixed has no field 'tagg'. Did you mean 'tag'?"):
        replaced(t.Mixed(1.5), tagg=1)
    with raises(
        TypeError, "testing.Private.guarded is read-only and no parameter of the constructor"
    ):
        replaced(t.Private(3), guarded=1)
    with raises(ValueError, empty_text("tain.types.testing.Point")):
        replaced(t.Point.__new__(t.Point), x=1)
