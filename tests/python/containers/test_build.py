# SPDX-License-Identifier: Apache-2.0
"""Constructors of containers: any source, those that change or lie meanwhile, memory of others."""

# ruff: noqa: RUF005  (concatenation is what is tested)

from __future__ import annotations

import collections
import collections.abc
import importlib
import sys
import types

import pytest
from container_values import VALUES
from errors import raises
from interpreter import reads_the_original

import tain
from tain import Array, Dict, List, Map, Shape


@pytest.mark.parametrize("values", VALUES)
def test_construction_and_reading(values: list[object]) -> None:
    for source in (list, tuple, iter, collections.deque, Array, List):
        array = Array(source(values))
        assert len(array) == len(values)
        assert list(array) == values
        assert tuple(reversed(array)) == tuple(reversed(values))
        assert [array[i] for i in range(-len(values), len(values))] == values * 2
        assert bool(array) == bool(values)


def test_no_arguments_make_an_empty_one() -> None:
    assert len(Array()) == 0
    assert not Array()
    assert Array() == ()


def test_an_array_of_an_array_is_itself() -> None:
    array = Array([1])
    assert Array(array) is array
    assert Array(List([1])) == array


@pytest.mark.bad_input
def test_a_source_that_changes_while_it_is_read() -> None:
    class Shrinking:
        def __init__(self, values: list[object]) -> None:
            self.values = values

        def __index__(self) -> int:
            self.values.clear()
            return 1

    values: list[object] = []
    values.extend([Shrinking(values), 2, 3])
    with pytest.raises(TypeError):
        Shape([values[0], "x"])
    assert values == []

    def endless():
        while True:
            yield 1
            raise KeyError("stop")

    with raises(KeyError, "'stop'"):
        Array(endless())


@pytest.mark.bad_input
def test_a_wrong_length_hint() -> None:
    class Liar:
        def __iter__(self):
            return iter([1, 2])

        def __length_hint__(self) -> int:
            return hint

    hint = 10**6
    assert Array(Liar()) == (1, 2)
    hint = 2**60
    for cls in (list, Array):
        with pytest.raises(MemoryError):
            cls(Liar())


@pytest.mark.bad_input
def test_uninitialized_arrays() -> None:
    class Forgetful(Array):
        def __init__(self) -> None:
            pass

    for empty in (Array.__new__(Array), Forgetful()):
        for act in (len, iter, hash, lambda a: a[0], lambda a: a[:], lambda a: a + (1,)):
            with pytest.raises((ValueError, TypeError)):
                act(empty)
        assert "empty" in repr(empty)


class Announcing:
    """Two values, and a hint of another length."""

    def __init__(self, hint: object) -> None:
        self.hint = hint

    def __iter__(self):
        return iter([1, 2])

    def __length_hint__(self) -> object:
        return self.hint


def grow(iterable) -> list:
    values = List()
    values.extend(iterable)
    return list(values)


def assign(iterable) -> list:
    values = List()
    values[:] = iterable
    return list(values)


TAKING = [
    lambda x: list(List(x)),
    lambda x: list(Array(x)),
    lambda x: list(tain.Shape(x)),
    lambda x: list(tain.get_global_func("testing.echo_array_int")(x)),
    lambda x: list(tain.get_global_func("testing.echo_std_vector_int")(x)),
    grow,
    assign,
]


@pytest.mark.bad_input
@pytest.mark.parametrize("take", TAKING)
def test_what_does_not_fit_into_memory_is_not_begun(take) -> None:
    for size in (2**60, 2**63 - 1):
        with pytest.raises(MemoryError):
            take(range(size))
    with pytest.raises(OverflowError):
        List(range(2**63))


@pytest.mark.bad_input
@pytest.mark.parametrize("take", TAKING)
def test_wrong_hints(take) -> None:
    for hint in (0, 1, 100, 10**6, NotImplemented):
        assert take(Announcing(hint)) == [1, 2] == list(Announcing(hint))
    for hint, error in ((-1, ValueError), ("a", TypeError)):
        if take not in TAKING[3:5]:  # those see only the iterator
            with pytest.raises(error):
                take(Announcing(hint))


@pytest.mark.only_if(sys.platform != "win32", reason="getrusage is POSIX")
def test_room_for_what_did_not_come_is_given_back() -> None:
    tracer = importlib.import_module("resource")
    before = tracer.getrusage(tracer.RUSAGE_SELF).ru_maxrss
    kept = [List(Announcing(10**7)) for _ in range(2000)]  # 300 GB of room
    assert all(len(values) == 2 for values in kept)
    assert tracer.getrusage(tracer.RUSAGE_SELF).ru_maxrss - before < 500_000


@pytest.mark.parametrize("kind", [Map, Dict])
@pytest.mark.parametrize(
    "make",
    [
        lambda kind, d: kind(d),
        lambda kind, d: kind(d.items()),
        lambda kind, d: kind(list(d.items())),
        lambda kind, d: kind([list(item) for item in d.items()]),
        lambda kind, d: kind(iter(d.items())),
        lambda kind, d: kind(types.MappingProxyType(d)),
        lambda kind, d: kind(collections.OrderedDict(d)),
        lambda kind, d: kind(collections.ChainMap(d)),
        lambda kind, d: kind(Map(d)),
        lambda kind, d: kind(Dict(d)),
        lambda kind, d: kind(**d),
        lambda kind, d: kind({}, **d),
        lambda kind, d: kind(Map(d).items()),
    ],
)
def test_maps_are_made_as_dicts_are(kind: type, make) -> None:
    values = {"b": 1, "a": 2, "c": 3, "e": 4, "d": 5, "f": 6}
    mapping = make(kind, values)
    assert type(mapping) is kind
    assert list(mapping.items()) == list(values.items())


@pytest.mark.bad_input
@reads_the_original
def test_mappings_that_raise_or_change() -> None:
    class Broken(dict):
        def keys(self):
            return ["a", "b"]

        def __iter__(self):
            raise AssertionError("not used")

    with raises(KeyError, "'b'"):
        Map(Broken(a=1))

    class Growing:
        def __init__(self, target: dict[object, object]) -> None:
            self.target = target

        def __hash__(self) -> int:
            if hasattr(self, "ready"):
                self.target[len(self.target)] = 1
            return 1

        def __eq__(self, other: object) -> bool:
            return self is other

    source: dict[object, object] = {}
    key = Growing(source)
    source[key] = 1
    key.ready = True
    with pytest.raises(RuntimeError, match="changed size during iteration"):
        Map(source)
