# SPDX-License-Identifier: Apache-2.0
"""Arrays of numbers as memory: the buffer protocol and numpy."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from errors import empty_text, raises

from tain import Array, List


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([1, 2, -3], np.int64),
        ([2**62], np.int64),
        ([0.5, float("inf"), -1.0], np.float64),
        ([True, False, True], np.bool_),
    ],
)
def test_numbers_of_one_type_are_not_copied(values: list[object], dtype: type) -> None:
    array = Array(values)
    view = np.asarray(array)
    assert view.dtype == dtype
    assert view.tolist() == values
    assert view.strides == (16,)
    assert not view.flags.writeable
    assert not view.flags.owndata
    again = np.asarray(array)
    assert np.shares_memory(view, again)
    assert np.array(array, dtype=np.float64).tolist() == [float(x) for x in values]
    assert memoryview(array).tolist() == values


@pytest.mark.parametrize(
    "values", [[1, "a"], [None], ["a", "b"], [2**70, 1], [[1, 2], [3]], [[1, 2], 3], [1, [2]]]
)
def test_other_arrays_become_objects(values: list[object]) -> None:
    made = np.asarray(Array(values))
    assert made.dtype == object
    assert made.shape == (len(values),)
    assert list(made) == values
    assert [type(x) for x in made] == [type(x) for x in Array(values)]


@pytest.mark.parametrize(
    ("values", "dtype", "shape"),
    [
        ([1.5, 2], np.float64, (2,)),
        ([1, True], np.int64, (2,)),
        ([], np.float64, (0,)),
        ([[1, 2], [3, 4]], np.int64, (2, 2)),
        ([[1, 2.5], [3, 4]], np.float64, (2, 2)),
        ([[[1]], [[2]], [[3]]], np.int64, (3, 1, 1)),
        ([[], []], np.float64, (2, 0)),
        ([List([1, 2]), List([3, 4])], np.int64, (2, 2)),
    ],
)
def test_numbers_become_arrays_of_numbers(
    values: list[object], dtype: type, shape: tuple[int, ...]
) -> None:
    made = np.asarray(Array(values))
    assert (made.dtype, made.shape) == (dtype, shape)
    plain = [list(x) if isinstance(x, List) else x for x in values]
    assert made.tolist() == np.array(plain).tolist()


def test_deep_arrays_become_objects() -> None:
    deep: object = Array([1])
    for _ in range(100_000):
        deep = Array([deep])
    assert np.asarray(deep).shape == (1,)


def test_other_arrays_with_a_dtype() -> None:
    assert np.asarray(Array([1, 2.5]), dtype=np.float32).tolist() == [1.0, 2.5]
    assert np.array([Array([1, 2]), Array([3, 4])]).tolist() == [[1, 2], [3, 4]]


def test_an_export_outlives_the_array() -> None:
    array = Array(range(1000))
    view = np.asarray(array)
    del array
    assert view.sum() == 499500


def test_lists_are_copied() -> None:
    values = List([1, 2, 3])
    made = np.asarray(values)
    values[0] = 9
    assert made.tolist() == [1, 2, 3]


@pytest.mark.bad_input
def test_buffers_that_cannot_be_had() -> None:
    with raises(
        BufferError, "an Array is a buffer only if all its elements are ints, floats or bools"
    ):
        memoryview(Array([1, "a"]))
    with raises(
        BufferError, "an Array is a buffer only if all its elements are ints, floats or bools"
    ):
        memoryview(Array())
    with raises(BufferError, "the elements of an Array are not contiguous"):
        hashlib.sha1(Array([1, 2]))
    with pytest.raises(TypeError):
        memoryview(List([1]))
    with pytest.raises(TypeError, match="read-only"):
        memoryview(Array([1]))[0] = 2
    with raises(ValueError, "an Array of other values than numbers of one type must be copied"):
        Array(["a"]).__array__(copy=False)
    empty = Array.__new__(Array)
    with raises(ValueError, empty_text("tain.Array")):
        memoryview(empty)
    assert np.asarray(Array()).shape == (0,)
