# SPDX-License-Identifier: Apache-2.0
"""Indexing of tain.Tensor, compared with numpy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from errors import raises

import tain

ARRAY = np.arange(24.0).reshape(2, 3, 4)
KEYS: list[Any] = [
    *(0, -1, np.int64(1), slice(None), slice(1, None), slice(None, None, -1), slice(5, 9), ...),
    *((0, 1), (0, 1, 2), (-1, slice(None), 0), (..., 1), (0, ...), (..., slice(None, None, 2))),
    *(None, (None, 0), (slice(None), None), (0, None, ..., 1), (), (slice(2, 0, -1), 0)),
    *((slice(0, 0), 0), (slice(None), slice(None, None, -2), slice(3, 1, -1))),
]


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_views_are_those_of_numpy(key: Any) -> None:
    found = tain.from_dlpack(ARRAY)[key]
    expected = ARRAY[key]
    assert isinstance(found, tain.Tensor)
    assert found.shape == np.shape(expected)
    assert found.tolist() == expected.tolist()
    if found.size:
        assert np.shares_memory(found.numpy(), ARRAY)


@pytest.mark.parametrize("key", [2, -3, (0, 3), (0, 0, 4), (0, 0, 0, 0), (..., ...)], ids=repr)
def test_what_is_out_of_range(key: Any) -> None:
    with pytest.raises(IndexError):
        tain.from_dlpack(ARRAY)[key]


@pytest.mark.parametrize("key", ["a", 1.5, (0, "a")], ids=repr)
def test_what_is_no_index(key: Any) -> None:
    with pytest.raises(IndexError, match=r"^only integers, slices"):
        tain.from_dlpack(ARRAY)[key]


def test_the_texts_of_index_errors() -> None:
    tensor = tain.from_dlpack(ARRAY)
    with raises(IndexError, "Tensor index 5 out of range for dimension 1 of extent 3"):
        tensor[0, 5]
    with raises(IndexError, "Tensor: too many indices for 3 dimensions"):
        tensor[0, 0, 0, 0]
    with raises(IndexError, "Tensor: an index can have one '...' only"):
        tensor[..., ...]


def test_assignment_writes_into_the_memory() -> None:
    array = np.zeros((2, 3))
    tensor = tain.from_dlpack(array)
    tensor[0, 1] = 5
    tensor[1] = [1, 2, 3]
    tensor[:, 0] = np.array([8, 9])
    assert array.tolist() == [[8, 5, 0], [9, 2, 3]]
    with pytest.raises(IndexError):
        tensor[5] = 1
    with pytest.raises(ValueError, match="could not broadcast"):
        tensor[0] = [1, 2]
    with raises(TypeError, "the elements of a Tensor cannot be deleted"):
        del tensor[0]


def test_a_read_only_tensor_is_not_written() -> None:
    array = np.zeros(3)
    array.flags.writeable = False
    tensor = tain.from_dlpack(array)
    with raises(ValueError, "Tensor: the tensor is read-only"):
        tensor[0] = 1
    with raises(ValueError, "Tensor: the tensor is read-only"):
        tensor[1:][0] = 1


def test_length_and_iteration() -> None:
    tensor = tain.from_dlpack(ARRAY)
    assert len(tensor) == 2
    assert [part.shape for part in tensor] == [(3, 4), (3, 4)]
    with raises(TypeError, "len() of a Tensor without dimensions"):
        len(tensor[0, 0, 0])
    with raises(TypeError, "len() of a Tensor without dimensions"):
        iter(tensor[0, 0, 0])


def test_a_view_keeps_the_memory() -> None:
    view = tain.tensor(range(1000))[990:]
    assert view.tolist() == list(range(990, 1000))


def test_an_index_that_runs_code() -> None:
    class Index:
        def __index__(self) -> int:
            tensor._move()
            return 1

    tensor = tain.tensor([1.0, 2.0])
    assert tensor[Index()].item() == 2.0
    with pytest.raises(ValueError, match="moved"):
        len(tensor)
