# SPDX-License-Identifier: Apache-2.0
"""What a tensor on a GPU cannot do says so by the name of the device, and loses nothing."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from errors import raises
from kernels import kernels
from tain.types.testing import TensorHolder
from testing_functions import get

import tain

pytestmark = pytest.mark.bad_input


def made() -> tain.Tensor:
    """1, 2, 3 on the GPU."""
    return tain.from_dlpack(torch.tensor([1.0, 2.0, 3.0], device="cuda"))


ON_CUDA = (
    "scale: argument arg0: expected row-major Tensor of float32 with 1 dimension on cuda, got "
)
ON_HOST = "host_sum: argument arg0: expected Tensor of float32 with 1 dimension"
OTHER_DEVICE: dict[str, tuple[Callable[[], Any], str]] = {
    "a tensor of the processor": (
        lambda: kernels().scale(torch.ones(3), 2.0),
        ON_CUDA + "Tensor (float32, shape (3,))",
    ),
    "an array of numpy": (
        lambda: kernels().scale(np.ones(3, np.float32), 2.0),
        ON_CUDA + "ndarray (float32, shape (3,))",
    ),
    "a tensor of the GPU": (
        lambda: kernels().host_sum(torch.ones(3, device="cuda")),
        ON_HOST + " in the memory of the processor, got Tensor (float32, shape (3,), cuda:0)",
    ),
    "another type of elements": (
        lambda: kernels().scale(torch.ones(3, device="cuda", dtype=torch.float64), 2.0),
        ON_CUDA + "Tensor (float64, shape (3,), cuda:0)",
    ),
    "gaps": (
        lambda: kernels().scale(torch.ones(6, device="cuda")[::2], 2.0),
        ON_CUDA + "Tensor (float32, shape (3,), cuda:0, strides (2,))",
    ),
    "read-only": (
        lambda: kernels().scale(kernels().read_only(made()), 2.0),
        "scale: argument arg0: expected writable row-major Tensor of float32 with 1 dimension on "
        "cuda, got Tensor (float32, shape (3,), cuda:0, read-only)",
    ),
}


@pytest.mark.parametrize("given", OTHER_DEVICE)
def test_a_parameter_refuses(given: str) -> None:
    call, text = OTHER_DEVICE[given]
    with raises(TypeError, text):
        call()


NUMPY = "Tensor.numpy(): the tensor is on cuda:0; copy it with the library that made it"
READING: dict[str, Callable[[tain.Tensor], Any]] = {
    "numpy": lambda x: x.numpy(),
    "asarray": np.asarray,
    "tolist": lambda x: x.tolist(),
    "float": lambda x: float(x[0]),
    "int": lambda x: int(x[0]),
    "complex": lambda x: complex(x[0]),
    "bool": lambda x: bool(x[0]),
    "item": lambda x: x[0].item(),
    "assignment": lambda x: x.__setitem__(0, 5),
}


@pytest.mark.parametrize("how", READING)
def test_the_processor_does_not_read(how: str) -> None:
    with raises(RuntimeError, NUMPY):
        READING[how](made())


def test_a_result_as_an_array_of_numpy() -> None:
    text = (
        "a Tensor on cuda:0 cannot be an array of numpy: copy it to the processor with the library "
        "that made it, or return it without tain::as_numpy()"
    )
    with raises(BufferError, text):
        kernels().device_memory.with_tensor_type(np.ndarray)(3)


def test_a_result_that_is_declared_as_numpy() -> None:
    gc.collect()  # what the errors of the tests before hold
    before = kernels().freed()
    with pytest.raises(BufferError, match=r"cuda:0"):
        tain.get_global_func("gpu_kernels.device_memory_as_numpy")(3)
    gc.collect()
    assert kernels().freed() == before + 1


def test_numpy_and_buffers() -> None:
    with pytest.raises((BufferError, RuntimeError), match=r"(?i)device"):
        np.from_dlpack(made())  # the text is numpy's
    with raises(BufferError, "the Tensor is not in the memory of the processor"):
        memoryview(made())  # type: ignore[arg-type]


NO_ALLOCATOR = (
    "Tensor: no allocator for cuda:0: set one with TainEnvSetDLPackManagedTensorAllocator, or make "
    "the tensor with the library of the device"
)
COPIES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "empty": (lambda: tain.empty(3, device="cuda"), ValueError, NO_ALLOCATOR),
    "tensor": (lambda: tain.tensor(torch.ones(3, device="cuda")), ValueError, NO_ALLOCATOR),
    "copy": (lambda: copy.copy(made()), ValueError, NO_ALLOCATOR),
    "deepcopy": (lambda: copy.deepcopy(made()), ValueError, NO_ALLOCATOR),
    "to": (
        lambda: made().to("cpu"),
        ValueError,
        "Tensor.to(): tain copies to no other device: expected cuda:0, got cpu:0",
    ),
    "copyto": (
        lambda: made().copyto(np.zeros(3, np.float32)),
        ValueError,
        "Tensor.copy_from: expected memory of the processor, got cuda:0",
    ),
    "another device": (
        lambda: made().__dlpack__(dl_device=(1, 0)),
        BufferError,
        "Tensor.__dlpack__(): argument dl_device: the tensor cannot be exported to another device "
        "than its own",
    ),
    "pickle": (lambda: pickle.dumps(made()), TypeError, "a Tensor on cuda:0 cannot be pickled"),
    "save_json": (
        lambda: tain.save_json(made()),
        TypeError,
        "save_json: <root>: a tensor on cuda:0 cannot be saved: copy it to the processor first",
    ),
    "save_binary": (
        lambda: tain.save_binary(tain.convert([made()])),
        TypeError,
        "save_binary: <root>[0]: a tensor on cuda:0 cannot be saved: copy it to the processor "
        "first",
    ),
    "structural_equal": (
        lambda: tain.structural_equal(made(), made()),
        TypeError,
        "structural comparison of a Tensor in the memory of cuda:0, which the processor cannot "
        "read: copy it to the processor",
    ),
}


@pytest.mark.parametrize("what", COPIES)
def test_nothing_is_copied(what: str) -> None:
    call, error, text = COPIES[what]
    with raises(error, text):
        call()


def test_a_field_keeps_what_is_refused_out() -> None:
    holder = TensorHolder()
    holder.tensor = x = torch.ones(3, device="cuda")
    with pytest.raises(TypeError):
        holder.tensor = "cuda:0"
    assert holder.tensor is x


def test_functions_of_the_processor() -> None:
    with raises(
        TypeError,
        "testing.tensor_sum32: argument x: expected Tensor of float32 with 1 dimension in the "
        "memory of the processor, got Tensor (float32, shape (3,), cuda:0)",
    ):
        get("tensor_sum32")(torch.ones(3, device="cuda"))
