# SPDX-License-Identifier: Apache-2.0
"""CuPy's arrays, which are known by `__dlpack__`."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import cupy
import pytest
from kernels import kernels
from tain.types.testing import TensorHolder

import tain

TYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]
TYPES += ["complex64", "complex128"]


@pytest.mark.parametrize("name", TYPES)
def test_each_type_in_both_directions(name: str) -> None:
    array = cupy.arange(6).reshape(2, 3).astype(name)
    assert tain.testing.echo(array) is array
    made = tain.from_dlpack(array)
    assert (str(made.dtype), made.shape, str(made.device)) == (name, (2, 3), "cuda:0")
    back = cupy.from_dlpack(made)
    assert back.data.ptr == array.data.ptr == kernels().address(made)
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert bool((back == array).all())


def test_layouts() -> None:
    array = cupy.arange(12, dtype="float32").reshape(3, 4)
    for view in (array.T, array[::2], array[:, 1], array[1:]):
        assert tain.testing.echo(view) is view
        back = cupy.from_dlpack(tain.from_dlpack(view))
        assert (back.data.ptr, back.shape, back.strides) == (
            view.data.ptr,
            view.shape,
            view.strides,
        )


def test_a_kernel() -> None:
    array = cupy.arange(4, dtype="float32")
    kernels().scale(array, 3.0)
    assert array.tolist() == [0, 3, 6, 9]


def test_memory_lives_while_cpp_holds_it() -> None:
    array = cupy.ones(1000, dtype="float32")
    dead = weakref.ref(array)
    holder = TensorHolder()
    holder.tensor = array
    del array
    gc.collect()
    assert dead() is holder.tensor
    del holder
    gc.collect()
    assert dead() is None


def test_memory_of_cpp_lives_while_cupy_holds_it() -> None:
    before = kernels().freed()
    view = cupy.from_dlpack(kernels().device_memory(10))
    view.fill(2)
    gc.collect()
    assert kernels().freed() == before
    assert view.tolist() == [2] * 10
    del view
    gc.collect()
    assert kernels().freed() == before + 1


def test_a_result_is_a_tensor_of_tain_that_cupy_shares() -> None:
    made = kernels().device_memory(4)
    cupy.from_dlpack(made).fill(5)
    kernels().scale(made, 2.0)
    assert cupy.from_dlpack(made).tolist() == [10] * 4


@pytest.mark.parametrize("non_blocking", [False, True])
def test_the_default_stream_waits_for_the_stream_of_cupy(non_blocking: bool) -> None:
    array = cupy.zeros(1000, dtype="float32")
    large = cupy.ones((3000, 3000), dtype="float32")
    stream = cupy.cuda.Stream(non_blocking=non_blocking)
    cupy.cuda.Stream.null.synchronize()
    with stream:
        for _ in range(20):
            large = large @ large * 1e-4
        array.fill(1)
        kernels().scale(array, 5.0)
    assert array.tolist() == [5] * 1000  # read on the default stream


def test_memory_that_cuda_moves() -> None:
    made: Any = kernels().managed_memory(3)
    made[...] = [1, 2, 3]
    assert cupy.from_dlpack(made).tolist() == [1, 2, 3]


def test_texts_name_the_device() -> None:
    with pytest.raises(TypeError) as caught:
        kernels().host_sum(cupy.ones(3, dtype="float32"))
    assert str(caught.value) == (
        "host_sum: argument arg0: expected Tensor of float32 with 1 dimension in the memory of the "
        "processor, got ndarray (float32, shape (3,), cuda:0)"
    )
