# SPDX-License-Identifier: Apache-2.0
"""Functions that make tensors: from_dlpack, tensor, empty."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from errors import raises

import tain


def test_from_dlpack_shares_the_memory() -> None:
    array = np.arange(4.0)
    tensor = tain.from_dlpack(array)
    tensor[0] = 5
    assert array[0] == 5
    assert tain.from_dlpack(tensor).tolist() == array.tolist()
    assert tain.from_dlpack(array, device=(1, 0)).tolist() == array.tolist()


def test_from_dlpack_refuses() -> None:
    text = (
        "from_dlpack(): expected an array with __dlpack__ and __dlpack_device__, or a capsule of "
        "DLPack, got "
    )
    for value, name in ((5, "int"), (None, "NoneType"), ("a", "str"), ([1], "list")):
        with raises(TypeError, text + name):
            tain.from_dlpack(value)
    with pytest.raises(BufferError):
        tain.from_dlpack(np.array(["a"]))
    with raises(TypeError, "from_dlpack(): a capsule takes neither device nor copy"):
        tain.from_dlpack(tain.tensor([1]).to_dlpack(), copy=True)


def test_tensor_copies() -> None:
    array = np.arange(4.0)
    for source in (array, array.tolist(), tain.from_dlpack(array), range(4)):
        made = tain.tensor(source)
        assert made.tolist() == array.tolist()
        assert not np.shares_memory(made.numpy(), array)
    assert tain.tensor(array[::-1]).is_contiguous


@pytest.mark.parametrize(
    ("dtype", "name"),
    [
        *[(name, name) for name in ("float16", "int8", "complex64", "bool")],
        (np.float32, "float32"),
        (np.dtype("uint8"), "uint8"),
        (tain.dtype("int16"), "int16"),
    ],
)
def test_types(dtype: Any, name: str) -> None:
    assert tain.tensor([1, 0], dtype=dtype).dtype == name
    assert tain.empty(3, dtype).dtype == name


def test_what_is_no_tensor() -> None:
    with raises(
        TypeError,
        "tensor(): expected numbers of one type, got numpy.ndarray: a tensor cannot have such "
        "elements (dtype object)",
    ):
        tain.tensor([object()])
    with pytest.raises(ValueError, match="inhomogeneous"):
        tain.tensor([[1], [1, 2]])
    with raises(
        ValueError, "Tensor.to(): tain copies to no other device: expected cpu:0, got cuda:0"
    ):
        tain.tensor([1], device="cuda")


def test_empty() -> None:
    assert tain.empty((2, 3)).shape == (2, 3)
    assert tain.empty(2).shape == (2,)
    assert tain.empty(()).shape == ()
    assert tain.empty(tain.Shape([1])).shape == (1,)
    assert tain.empty((0,), device="cpu").nbytes == 0
    assert np.asarray(tain.empty(3)).ctypes.data % 64 == 0


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("shape", "error"),
    [
        ((-1,), ValueError),
        ((2**40, 2**40), ValueError),
        ((2**62,), ValueError),
        ((0, 2**40, 2**40), ValueError),
        ((2**46,), MemoryError),
        ((1,) * 65, ValueError),
        ((1,) * 2000, ValueError),
        ((2**70,), (TypeError, OverflowError)),
        (("a",), TypeError),
        (None, TypeError),
        (1.5, TypeError),
        ({}, TypeError),
    ],
)
def test_shapes_that_cannot_be(shape: Any, error: Any) -> None:
    with pytest.raises(error):
        tain.empty(shape)


@pytest.mark.bad_input
def test_other_arguments_that_cannot_be() -> None:
    with raises(
        ValueError,
        "Tensor: no allocator for cuda:0: set one with TainEnvSetDLPackManagedTensorAllocator, or "
        "make the tensor with the library of the device",
    ):
        tain.empty(3, device="cuda")
    for dtype in ("nothing", None, 5, "float32x0"):
        with pytest.raises((TypeError, ValueError)):
            tain.empty(3, dtype)
    for device in (5, "nowhere", object()):
        with pytest.raises((TypeError, ValueError)):
            tain.empty(3, device=device)


def test_to_pytorch_func_is_the_identity() -> None:
    assert tain.to_pytorch_func(tain.testing.echo) is tain.testing.echo


@pytest.mark.bad_input
@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt, ZeroDivisionError])
@pytest.mark.parametrize("name", ["__dlpack__", "__dlpack_device__"])
def test_an_attribute_that_fails_is_not_one_that_is_missing(
    name: str, error: type[BaseException]
) -> None:
    def fail(_: object) -> None:
        raise error("mine")

    array = np.zeros(2)
    members = {"__dlpack__": array.__dlpack__, "__dlpack_device__": array.__dlpack_device__}
    producer = type("Producer", (), {**members, name: property(fail)})()
    with raises(error, "mine"):
        tain.from_dlpack(producer)
