# SPDX-License-Identifier: Apache-2.0
"""Copies and pickles of containers: as deep as asked, with structure, cycles and subclasses."""

from __future__ import annotations

import copy
import pickle

import pytest
from container_values import DICTS, VALUES

from tain import Array, Dict, List, Map


@pytest.mark.parametrize("values", VALUES)
def test_arrays_are_copied_and_pickled(values: list[object]) -> None:
    array = Array(values)
    assert copy.copy(array) is array
    assert copy.deepcopy(array) == array
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(array, protocol))
        assert type(back) is Array
        assert back == array


def test_deepcopy_keeps_the_structure_of_arrays() -> None:
    inner = List([1])
    array = Array([inner, inner, "text"])
    copied = copy.deepcopy(array)
    assert copied == array
    assert copied[0] is copied[1]
    assert copied[0] is not inner
    atoms = Array([1, ("a", None)])
    assert copy.deepcopy(atoms) is atoms


def test_deepcopy_and_pickle_of_a_cycle() -> None:
    inner = List()
    array = Array([inner])
    inner.append(array)
    for copied in (copy.deepcopy(array), pickle.loads(pickle.dumps(array))):
        assert copied is not array
        assert copied[0][0] is copied
    inner.clear()
    copied[0].clear()
    copy.deepcopy(array)


def test_subclasses_keep_their_state() -> None:
    class Named(Array):
        def __init__(self, name: str, values: object) -> None:
            super().__init__(values)
            self.name = name

    named = Named("n", [1, 2])
    assert named == (1, 2)
    assert named.name == "n"
    assert type(named[:1]) is Array
    assert List([named])[0] is named

    class Plain(Array):
        pass

    plain = Plain([1, 2])
    plain.note = "x"
    for copied in (copy.copy(plain), copy.deepcopy(plain)):
        assert type(copied) is Plain
        assert copied == plain
        assert copied is not plain
        assert copied.note == "x"


def test_lists_are_copied_and_pickled() -> None:
    inner = List([1])
    values = List([inner, inner, "a"])
    shallow = copy.copy(values)
    assert type(shallow) is List
    assert shallow == values
    assert shallow is not values
    assert shallow[0] is inner
    deep = copy.deepcopy(values)
    assert deep == values
    assert deep[0] is deep[1]
    assert deep[0] is not inner
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(values, protocol))
        assert type(back) is List
        assert back == values
        assert back[0] is back[1]


def test_lists_in_cycles() -> None:
    values = List([1])
    values.append(values)
    assert values[1] is values
    assert repr(values) == "[1, ...]"
    for copied in (copy.deepcopy(values), pickle.loads(pickle.dumps(values))):
        assert copied[1] is copied
        assert copied is not values
        copied.clear()
    with pytest.raises(RecursionError):
        values == List([1, copy.deepcopy(values)])  # noqa: B015
    values.clear()


def test_dicts_are_copied_and_pickled() -> None:
    inner = List([1])
    mapping = Dict(a=inner, b=inner, c=(1, 2))
    shallow = copy.copy(mapping)
    assert type(shallow) is Dict
    assert shallow == mapping
    assert shallow is not mapping
    assert shallow["a"] is inner
    deep = copy.deepcopy(mapping)
    assert deep == mapping
    assert deep["a"] is deep["b"]
    assert deep["a"] is not inner
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(mapping, protocol))
        assert type(back) is Dict
        assert back == mapping
        assert back["a"] is back["b"]


def test_dicts_in_cycles() -> None:
    mapping = Dict()
    mapping["self"] = mapping
    assert repr(mapping) == "{'self': ...}"
    assert "self" in repr(mapping.items())
    for copied in (copy.deepcopy(mapping), pickle.loads(pickle.dumps(mapping))):
        assert copied["self"] is copied
        assert copied is not mapping
        with pytest.raises(RecursionError):
            copied == mapping  # noqa: B015
        copied.clear()
    mapping.clear()


@pytest.mark.parametrize("values", DICTS)
def test_maps_are_copied_and_pickled(values: dict[object, object]) -> None:
    mapping = Map(values)
    assert copy.copy(mapping) is mapping
    assert copy.deepcopy(mapping) == mapping
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(mapping, protocol))
        assert type(back) is Map
        assert list(back.items()) == list(mapping.items())


def test_deepcopy_keeps_the_structure_of_maps() -> None:
    inner = List([1])
    mapping = Map({"a": inner, "b": inner})
    copied = copy.deepcopy(mapping)
    assert copied == mapping
    assert copied["a"] is copied["b"]
    assert copied["a"] is not inner
    atoms = Map({"a": (1, 2)})
    assert copy.deepcopy(atoms) is atoms
    cycle = List()
    around = Map({"l": cycle})
    cycle.append(around)
    for copied in (copy.deepcopy(around), pickle.loads(pickle.dumps(around))):
        assert copied["l"][0] is copied
        copied["l"].clear()
    cycle.clear()
