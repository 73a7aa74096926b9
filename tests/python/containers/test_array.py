# SPDX-License-Identifier: Apache-2.0
"""tain.Array and tain.Shape: immutable sequences that behave as tuples."""

# ruff: noqa: RUF005  (concatenation is what is tested)

from __future__ import annotations

import collections
import collections.abc
import copy
import pickle
from typing import Any

import pytest
from errors import moved_text, raises
from tain.types.testing import Point

import tain
from tain import Array, List, Shape


def test_elements_keep_their_types() -> None:
    values = [1, True, 1.0, "1", b"1", None, 2**70]
    assert [type(x) for x in Array(values)] == [type(x) for x in values]


def test_identity_of_objects_is_kept() -> None:
    inner = Array([1])
    outer = Array([inner, inner])
    assert outer[0] is inner
    assert outer[1] is inner
    assert [x is inner for x in outer] == [True, True]


def test_values_cross_as_containers() -> None:
    echo = tain.get_global_func("testing.echo")
    assert type(echo([1, 2])) is Array
    assert type(echo((1, [2]))[1]) is Array
    array = Array([1])
    assert echo(array) is array
    Pair = collections.namedtuple("Pair", "a b")
    assert echo(Pair(1, 2)) == (1, 2)


# ---------------------------------------------------------------- Shape


def test_shape_is_a_tuple_of_ints() -> None:
    shape = Shape([2, 3, 4])
    assert shape == (2, 3, 4)
    assert hash(shape) == hash((2, 3, 4))
    assert shape[-1] == 4
    assert 3 in shape
    assert shape.index(4) == 2
    assert shape.count(2) == 1
    assert shape + (5,) == (2, 3, 4, 5)
    assert type(shape + (5,)) is Shape
    assert shape * 2 == (2, 3, 4, 2, 3, 4)
    assert list(reversed(shape)) == [4, 3, 2]
    assert shape > (2, 3)
    assert Shape() == ()
    assert Shape(shape) is shape
    assert copy.deepcopy(shape) is shape
    assert pickle.loads(pickle.dumps(shape)) == shape
    assert Shape(range(2)) == Array([0, 1])


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        ([1, "a"], TypeError, "Shape[1]: expected int, got str ('a')"),
        ([1.0], TypeError, "Shape[0]: expected int, got float (1.0)"),
        ([2**63], OverflowError, f"Shape[0]: expected int in -2**63..2**63-1, got {2**63}"),
        (5, TypeError, "'int' object is not iterable"),
    ],
)
def test_bad_extents(value: object, error: type[Exception], text: str) -> None:
    with raises(error, text):
        Shape(value)


# ---------------------------------------------------------------- bad input


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("act", "error", "text"),
    [
        (lambda a: a[3], IndexError, "Array index 3 out of range for size 3"),
        (lambda a: a[-4], IndexError, "Array index -4 out of range for size 3"),
        (lambda a: a[2**70], IndexError, "cannot fit 'int' into an index-sized integer"),
        (lambda a: a["x"], TypeError, "Array index: expected int or slice, got str ('x')"),
        (lambda a: a[1.0], TypeError, "Array index: expected int or slice, got float (1.0)"),
        (lambda a: a[::0], ValueError, "slice step cannot be zero"),
        (lambda a: a.index(), TypeError, "index expected at least 1 argument, got 0"),
        (
            lambda a: a.index(1, "x"),
            TypeError,
            "slice indices must be integers or have an __index__ method",
        ),
        (lambda a: Array(1), TypeError, "'int' object is not iterable"),
        (lambda a: Array([1], [2]), TypeError, "Array expected at most 1 argument, got 2"),
        (lambda a: Array(values=[1]), TypeError, "Array() takes no keyword arguments"),
        (
            lambda a: a.__init__([1]),
            TypeError,
            "Array is immutable: __init__ must not be called again",
        ),
        (lambda a: a * 2**62, MemoryError, ""),
    ],
)
def test_bad_use(act, error: type[Exception], text: str) -> None:
    array = Array([1, 2, 3])
    with raises(error, text):
        act(array)
    assert array == (1, 2, 3)


@pytest.mark.bad_input
def test_arrays_do_not_change() -> None:
    array = Array([1])
    with pytest.raises(TypeError, match="does not support item assignment"):
        array[0] = 2  # type: ignore[index]
    with pytest.raises(TypeError, match=r"does(n't| not) support item deletion"):
        del array[0]  # type: ignore[attr-defined]
    assert not hasattr(array, "append")


@pytest.mark.bad_input
def test_lists_that_contain_themselves() -> None:
    values: list[object] = []
    values.append(values)
    with pytest.raises(RecursionError, match="while converting a sequence"):
        Array(values)
    mapping: dict[str, object] = {}
    mapping["self"] = [mapping]
    with pytest.raises(RecursionError, match="while converting"):
        tain.get_global_func("testing.echo")(mapping)


@pytest.mark.bad_input
def test_nesting_of_a_million_levels() -> None:
    values: list[object] = []
    for _ in range(1_000_000):
        values = [values]
    with pytest.raises(RecursionError, match="while converting a sequence"):
        Array(values)
    while values:
        values = values.pop()  # type: ignore[assignment]
    array = Array()
    for _ in range(1_000_000):
        array = Array((array,))
    for act in (hash, lambda a: a == Array((a,))):
        with pytest.raises(RecursionError):
            act(array)
    assert repr(array).startswith("[[[")
    assert copy.deepcopy(array) is array  # nothing in it can change
    del array


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("name", "wrap"),
    [("echo", lambda v: [v]), ("echo", lambda v: {"a": v}), ("kind", lambda v: (v,))],
)
def test_an_argument_of_a_million_levels(
    name: str, wrap: collections.abc.Callable[[object], object]
) -> None:
    values: object = []
    for _ in range(1_000_000):
        values = wrap(values)
    with pytest.raises(RecursionError, match="while converting"):
        tain.get_global_func("testing." + name)(values)


@pytest.mark.bad_input
def test_moved_arrays() -> None:
    array = Array([1, 2])
    iterator = iter(array)
    carrier = array._move()
    for act in (len, list, hash, lambda a: a[0], lambda a: a == (1,), lambda a: 1 in a):
        with raises(ValueError, moved_text("tain.Array")):
            act(array)
    with raises(ValueError, moved_text("tain.Array")):
        next(iterator)
    del carrier


@pytest.mark.parametrize("values", [[], [65, 66], [0, 255], [True, False]])
def test_bytes_are_those_of_a_list(values: list[int]) -> None:
    assert bytes(Array(values)) == bytes(values)
    assert bytes(List(values)) == bytes(values)


@pytest.mark.bad_input
@pytest.mark.parametrize("values", [[256], [-1], [1.5], ["a"], [65, None]])
def test_what_is_no_byte(values: list[object]) -> None:
    with pytest.raises((TypeError, ValueError)) as expected:
        bytes(values)  # type: ignore[arg-type]
    with raises(expected.type, str(expected.value)):
        bytes(Array(values))


def test_the_memory_is_still_that_of_numbers() -> None:
    assert memoryview(Array([65, 66])).tolist() == [65, 66]
    assert memoryview(Array([1.5])).format == "d"


# ---------------------------------------------------------------- copies that Python makes for C++


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("copied", "got"),
    [
        (lambda: Point(1), "Point (testing.Point(x=1.0, y=0.0))"),
        (lambda: tain.List([1]), "List ([1])"),
        (
            lambda: tain.get_global_func("testing.echo"),
            "Function (<Function testing.echo(x: Any) -> Any>)",
        ),
        (lambda: None, "None"),
        (lambda: 5, "int (5)"),
    ],
    ids=["Point", "List", "Function", "None", "int"],
)
def test_a_copy_of_another_type_is_refused(copied: Any, got: str) -> None:
    class Named(tain.Array):  # type: ignore[type-arg]
        def __copy__(self) -> Any:
            return copied()

    named = Named([1, 2])
    push = tain.get_global_func("testing.array_push")
    with raises(TypeError, f"copying a Named: expected a new object of its type, got {got}"):
        push(named, 3)
    assert list(named) == [1, 2]
    assert list(push(tain.Array([1, 2]), 3)) == [1, 2, 3]
