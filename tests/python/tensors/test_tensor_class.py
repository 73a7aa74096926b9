# SPDX-License-Identifier: Apache-2.0
"""The class tain.Tensor: attributes, numpy, numbers, copies, pickles, repr."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from errors import raises

import tain

ARRAY = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_attributes() -> None:
    tensor = tain.from_dlpack(ARRAY)
    assert tensor.shape == (2, 3)
    assert tensor.strides == (3, 1)
    assert (tensor.ndim, tensor.size, tensor.itemsize, tensor.nbytes) == (2, 6, 4, 24)
    assert tensor.device == tain.cpu(0)
    assert not tensor.is_view
    assert not tensor.read_only
    assert tensor.is_contiguous
    assert not tensor.T.is_contiguous
    assert tensor.T.tolist() == ARRAY.T.tolist()
    with raises(ValueError, "Tensor.T: expected 2 dimensions, got 1"):
        tensor[0].T  # noqa: B018


def test_matrices_transposed() -> None:
    array = np.arange(24).reshape(2, 3, 4)
    tensor = tain.from_dlpack(array)
    assert tensor.mT.tolist() == array.swapaxes(-1, -2).tolist()
    assert np.shares_memory(tensor.mT.numpy(), array)
    with raises(ValueError, "Tensor.mT: expected at least 2 dimensions, got 1"):
        tensor[0, 0].mT  # noqa: B018


def test_a_complex_number() -> None:
    assert complex(tain.tensor([1 + 2j])) == 1 + 2j
    assert complex(tain.tensor(3)) == 3
    with raises(ValueError, "Tensor: expected one element, got shape (2,)"):
        complex(tain.tensor([1, 2]))


@pytest.mark.bad_input
@pytest.mark.parametrize("dtype", ["int2", "int4", "float4_e2m1fn"])
def test_elements_that_share_bytes(dtype: str) -> None:
    """numpy gives each element a byte of its own, which the memory does not have."""
    tensor = tain.empty(1000, dtype)
    assert tensor.nbytes == 1000 * tensor.dtype.bits // 8
    assert "dtype=" + dtype in repr(tensor)
    for use in (tain.Tensor.numpy, tain.Tensor.tolist, np.asarray, memoryview, pickle.dumps):
        with pytest.raises((BufferError, TypeError)):
            use(tensor)


def test_the_dtype_equals_that_of_numpy() -> None:
    dtype = tain.from_dlpack(ARRAY).dtype
    assert dtype == np.float32
    assert dtype == np.dtype("float32")
    assert dtype == "float32"
    assert dtype != np.float64
    assert dtype != np.dtype("int32")
    assert dtype != 5


def test_numpy_shares_the_memory() -> None:
    tensor = tain.from_dlpack(ARRAY)
    for array in (tensor.numpy(), np.asarray(tensor), np.from_dlpack(tensor), np.array(tensor)):
        assert array.dtype == ARRAY.dtype
        assert array.tolist() == ARRAY.tolist()
    assert np.shares_memory(tensor.numpy(), ARRAY)
    assert np.shares_memory(np.asarray(tensor), ARRAY)
    assert np.asarray(tensor, dtype=np.float64).dtype == np.float64
    assert not np.shares_memory(tensor.__array__(copy=True), ARRAY)
    with raises(ValueError, "Tensor.__array__(): float32 as float64 must be copied"):
        tensor.__array__(np.float64, copy=False)


def test_numbers() -> None:
    one = tain.tensor([2.5])
    assert (float(one), int(one), bool(one), one.item()) == (2.5, 2, True, 2.5)
    assert not tain.tensor([0])
    assert [10, 20][tain.tensor(1)] == 20
    with raises(ValueError, "Tensor: expected one element, got shape (2, 3)"):
        float(tain.from_dlpack(ARRAY))
    with raises(ValueError, "Tensor: expected one element, got shape (2, 3)"):
        bool(tain.from_dlpack(ARRAY))
    with raises(
        TypeError, "Tensor: expected one integer element as an index, got float64, shape ()"
    ):
        [1][tain.tensor(1.5)]


@pytest.mark.parametrize(
    ("tensor", "text"),
    [
        (tain.tensor([1.0, 2.0]), "tain.Tensor([1., 2.], dtype=float64)"),
        (tain.tensor(5), "tain.Tensor(5, dtype=int64)"),
        (tain.tensor([True]), "tain.Tensor([ True], dtype=bool)"),
        (tain.empty((0, 3)), "tain.Tensor([], shape=(0, 3), dtype=float32)"),
        (
            tain.tensor(range(2000)),
            "tain.Tensor([   0,    1,    2, ..., 1997, 1998, 1999], dtype=int64)",
        ),
    ],
)
def test_repr(tensor: tain.Tensor, text: str) -> None:
    assert repr(tensor) == text


def test_copyto() -> None:
    source = tain.from_dlpack(ARRAY)
    for target in (np.zeros((2, 3), np.float32), tain.empty((2, 3)), np.zeros((3, 2), "f4").T):
        assert source.copyto(target) is target
        assert np.asarray(target).tolist() == ARRAY.tolist()
    text = "Tensor.copy_from: expected float32, shape (3,), got float32, shape (2, 3)"
    with raises(ValueError, text):
        source.copyto(np.zeros(3, np.float32))
    with raises(
        ValueError, "Tensor.copy_from: expected int32, shape (2, 3), got float32, shape (2, 3)"
    ):
        source.copyto(np.zeros((2, 3), np.int32))
    with raises(TypeError, "Tensor.copyto(): expected a Tensor or a writable array, got list"):
        source.copyto([1, 2])
    read_only = np.zeros((2, 3), np.float32)
    read_only.flags.writeable = False
    with raises(ValueError, "Tensor.copyto(): the target is read-only"):
        source.copyto(read_only)


def test_copyto_of_memory_that_overlaps() -> None:
    data = np.arange(10.0)
    tensor = tain.from_dlpack(data)
    tensor[:-1].copyto(data[1:])
    assert data.tolist() == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    data = np.arange(10.0)
    tain.from_dlpack(data[::-1]).copyto(data)
    assert data.tolist() == list(range(9, -1, -1))


def test_to() -> None:
    tensor = tain.tensor([1.0])
    assert tensor.to("cpu") is tensor
    assert tensor.to(tain.cpu(0), copy=True) is not tensor
    with raises(
        ValueError, "Tensor.to(): tain copies to no other device: expected cpu:0, got cuda:0"
    ):
        tensor.to("cuda")


def test_copies_have_memory_of_their_own() -> None:
    tensor = tain.from_dlpack(ARRAY)
    for made in (copy.copy(tensor), copy.deepcopy(tensor), copy.deepcopy([tensor, tensor])[1]):
        assert made.tolist() == tensor.tolist()
        assert not np.shares_memory(made.numpy(), ARRAY)
    twice = copy.deepcopy([tensor, tensor])
    assert twice[0] is twice[1]


SOURCES: dict[str, Any] = {
    "plain": tain.from_dlpack(ARRAY),
    "strided": tain.from_dlpack(ARRAY.T[::2]),
    "bool": tain.tensor([True, False]),
    "empty": tain.empty((0, 2)),
    "scalar": tain.tensor(2.5),
}


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("name", SOURCES)
def test_pickles(name: str, protocol: int) -> None:
    tensor = SOURCES[name]
    made = pickle.loads(pickle.dumps(tensor, protocol))
    assert isinstance(made, tain.Tensor)
    assert (made.shape, made.dtype) == (tensor.shape, tensor.dtype)
    assert made.tolist() == tensor.tolist()
    assert not made.read_only


def test_a_pickle_of_a_type_that_numpy_lacks() -> None:
    tensor = tain.empty((2, 3), "bfloat16")
    made = pickle.loads(pickle.dumps(tensor))
    assert (made.shape, made.dtype) == ((2, 3), "bfloat16")
    assert bytes(memoryview(made._view("uint16"))) == bytes(memoryview(tensor._view("uint16")))
    with raises(TypeError, "Tensor: elements of bfloat16 cannot be seen as uint8"):
        tensor._view("uint8")


def test_pickles_out_of_band_share_the_memory() -> None:
    array = np.arange(1000.0)
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(tain.from_dlpack(array), 5, buffer_callback=buffers.append)
    assert len(data) < 200
    assert np.shares_memory(pickle.loads(data, buffers=buffers).numpy(), array)


def test_fields_with_tensors_are_copied_and_pickled() -> None:
    kept = tain.convert({"a": ARRAY, "t": tain.tensor([1.0])})
    for made in (copy.deepcopy(kept), pickle.loads(pickle.dumps(kept))):
        assert isinstance(made["a"], np.ndarray)
        assert made["a"].tolist() == ARRAY.tolist()
        assert made["t"].tolist() == [1.0]


def test_the_class_makes_nothing() -> None:
    with pytest.raises(TypeError):
        tain.Tensor()
    with pytest.raises(TypeError):
        type("Mine", (tain.Tensor,), {})()


def test_moved_tensors_are_empty() -> None:
    tensor = tain.tensor([1.0])
    tain.testing.echo(tensor._move())
    for use in (len, memoryview, np.asarray, float, lambda x: x.shape, lambda x: x[0]):
        with pytest.raises((ValueError, BufferError)):
            use(tensor)
    assert "empty" in repr(tensor) or "moved" in repr(tensor)
