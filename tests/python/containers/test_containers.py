# SPDX-License-Identifier: Apache-2.0
"""The classes of containers as Python sees them: abstract bases, patterns, annotations."""

from __future__ import annotations

import collections
import collections.abc
import types

import pytest

import tain
from tain import Array, Dict, List, Map, Shape


@pytest.mark.parametrize("value", [Array([1, 2, 3]), List([1, 2, 3]), Shape([1, 2, 3])])
def test_sequence_patterns(value: object) -> None:
    match value:
        case [1, *rest]:
            assert rest == [2, 3]
        case _:
            pytest.fail("not a sequence pattern")


def test_sequences_are_of_collections_abc() -> None:
    abc = collections.abc
    assert isinstance(Array(), abc.Sequence)
    assert not isinstance(Array(), abc.MutableSequence)
    assert isinstance(Shape(), abc.Sequence)
    assert isinstance(List(), abc.MutableSequence)


def test_subscription_is_for_annotations() -> None:
    for cls in (Array, List, tain.Map, tain.Dict):
        alias = cls[int]
        assert isinstance(alias, types.GenericAlias)
        assert alias.__origin__ is cls
        assert alias.__args__ == (int,)
    assert Array[int]([1, 2]) == (1, 2)


def test_mapping_patterns() -> None:
    for value in (Map({"a": 1, "b": 2}), Dict({"a": 1, "b": 2})):
        match value:
            case {"a": 1, **rest}:
                assert rest == {"b": 2}
            case _:
                pytest.fail("not a mapping pattern")


def test_mappings_are_of_collections_abc() -> None:
    abc = collections.abc
    assert isinstance(Map(), abc.Mapping)
    assert not isinstance(Map(), abc.MutableMapping)
    assert isinstance(Dict(), abc.MutableMapping)
    assert isinstance(Map().keys(), abc.KeysView)
    assert isinstance(Map().values(), abc.ValuesView)
    assert isinstance(Map().items(), abc.ItemsView)
