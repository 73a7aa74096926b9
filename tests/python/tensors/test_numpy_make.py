# SPDX-License-Identifier: Apache-2.0
"""Results as arrays of numpy (`tain::as_numpy`), of a callable, a type and a whole library."""

from __future__ import annotations

import gc
import inspect
import pickle
from typing import Any

import array_lib
import numpy as np
import pytest
from errors import raises

import tain


@pytest.fixture(name="m", scope="module")
def module_fixture() -> Any:
    return array_lib.results()


@pytest.fixture(name="lib", scope="module")
def library_fixture() -> Any:
    return array_lib.library()


def test_what_a_function_gives(m: Any) -> None:
    made = m.counted(4)
    assert type(made) is np.ndarray
    assert made.dtype == np.int32
    assert made.tolist() == [0, 1, 2, 3]
    assert made.flags.writeable
    assert type(m.plain(4)) is tain.Tensor
    assert inspect.signature(m.counted).return_annotation is np.ndarray
    assert inspect.signature(m.plain).return_annotation is tain.Tensor
    assert "numpy.ndarray" in repr(inspect.signature(m.counted))
    assert "-> numpy.ndarray" in repr(m.counted)
    assert "-> numpy.ndarray" in repr(m.Marked.method)


def test_tensors_inside_of_results(m: Any) -> None:
    ids, distances = m.pair(2)
    assert (type(ids), type(distances)) == (np.ndarray, np.ndarray)
    assert m.maybe(0) is None
    assert type(m.maybe(2)) is np.ndarray
    several = m.several(2)
    assert type(several[0]) is np.ndarray
    assert [type(one) for one in several] == [np.ndarray, np.ndarray]


def test_methods_properties_and_fields(m: Any) -> None:
    one = m.Marked()
    assert type(one.method()) is np.ndarray
    assert type(one.field) is np.ndarray
    assert type(one.other()) is tain.Tensor
    every = m.Whole()
    assert type(every.method()) is np.ndarray
    assert type(every.field) is np.ndarray
    assert type(every.data) is np.ndarray
    every.field = np.ones(2)
    assert every.field.tolist() == [1, 1]


def test_a_whole_library_wherever_it_says_so(lib: Any) -> None:
    assert type(lib.early(2)) is np.ndarray
    assert type(lib.late(2)) is np.ndarray
    held = lib.Holder()
    assert type(held.data) is np.ndarray
    assert type(held.make()) is np.ndarray
    assert inspect.signature(lib.early).return_annotation is np.ndarray
    assert lib.overloaded(2).tolist() == [0, 1]
    assert lib.overloaded([1, 2]).tolist() == [2]


def test_the_memory_lives_as_long_as_the_array(m: Any) -> None:
    before = tain.testing.live_objects().get("ffi.Tensor", 0)
    made = m.counted(3)
    part = made[1:]
    del made
    gc.collect()
    assert part.tolist() == [1, 2]
    del part
    gc.collect()
    assert tain.testing.live_objects().get("ffi.Tensor", 0) == before


def test_an_array_of_numpy_comes_back_as_itself(m: Any) -> None:
    array = np.arange(3.0)
    assert m.echo(array) is array
    frozen = np.arange(3.0)
    frozen.flags.writeable = False
    assert m.echo(frozen) is frozen


def test_read_only_memory(m: Any) -> None:
    made = m.constant()
    assert not made.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        made[0] = 1


def test_a_device_is_refused_by_name(m: Any) -> None:
    text = (
        "a Tensor on cuda:0 cannot be an array of numpy: copy it to the processor with the "
        "library that made it, or return it without tain::as_numpy()"
    )
    with raises(BufferError, text):
        m.on_device()


def test_views_of_members(m: Any) -> None:
    matrix = m.Matrix(2, 3)
    data = matrix.data
    assert data.shape == (2, 3)
    data[1, 2] = 5
    assert matrix.at(1, 2) == 5
    columns = matrix.columns
    assert columns.shape == (3, 2)
    assert columns[2, 1] == 5
    del matrix
    gc.collect()
    assert data[1, 2] == 5


@pytest.mark.bad_input
def test_mistakes_of_views(m: Any) -> None:
    with raises(ValueError, "Tensor::View: expected the address of 2 elements, got null"):
        m.null_view()
    with raises(ValueError, "Tensor::View: expected a stride for each of 2 extents, got 1"):
        m.few_strides()
    text = "Tensor::FromVector: expected as many elements as the shape (2, 2) has, got 3"
    with raises(ValueError, text):
        m.vector_of_3(2)


def test_with_tensor_type_of_functions_and_methods(m: Any) -> None:
    plain = m.plain.with_tensor_type(np.ndarray)
    assert type(plain(2)) is np.ndarray
    assert type(plain(n=2)) is np.ndarray
    assert inspect.signature(plain).return_annotation is np.ndarray
    assert inspect.signature(plain.with_tensor_type(None)).return_annotation is tain.Tensor
    assert type(plain.with_tensor_type(None)(2)) is tain.Tensor
    assert pickle.loads(pickle.dumps(plain))(2).tolist() == [0, 1]
    other = m.Marked.other.with_tensor_type(np.ndarray)
    assert type(other(m.Marked())) is np.ndarray
    assert type(m.counted.with_tensor_type(tain.Tensor)(2)) is tain.Tensor
