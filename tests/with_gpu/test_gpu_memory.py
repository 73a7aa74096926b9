# SPDX-License-Identifier: Apache-2.0
"""Memory of the host that CUDA has pinned, and memory that CUDA moves: both sides reach it."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest
import torch
from kernels import kernels

import tain


def test_memory_that_torch_has_pinned() -> None:
    x = torch.arange(4, dtype=torch.float32).pin_memory()
    assert x.is_pinned()
    assert tain.testing.echo(x) is x
    made = tain.from_dlpack(x)
    assert made.device.type in ("cpu", "cuda_host")
    array = made.numpy()
    assert array.ctypes.data == x.data_ptr() == kernels().address(made)
    assert kernels().host_sum(x) == kernels().host_sum(made) == 6
    kernels().scale_anywhere(x, 2.0)
    assert array.tolist() == [0, 2, 4, 6]
    assert torch.from_dlpack(made).data_ptr() == x.data_ptr()


def test_a_copy_from_pinned_memory_in_order() -> None:
    x = torch.arange(4, dtype=torch.float32).pin_memory()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        y = x.to("cuda", non_blocking=True)
        kernels().scale(y, 3.0)
        assert y.tolist() == [0, 3, 6, 9]


KINDS = {"cuda_host": "pinned_memory", "cuda_managed": "managed_memory"}


@pytest.mark.parametrize("kind", KINDS)
def test_memory_that_both_sides_reach(kind: str) -> None:
    before = kernels().freed()
    made: Any = getattr(kernels(), KINDS[kind])(4)
    assert isinstance(made, tain.Tensor)
    assert str(made.device) == f"{kind}:0"
    array = made.numpy()
    assert array.ctypes.data == kernels().address(made)
    assert np.from_dlpack(made).ctypes.data == array.ctypes.data
    made[...] = [1, 2, 3, 4]
    kernels().scale_anywhere(made, 3.0)
    assert made.tolist() == array.tolist() == [3, 6, 9, 12]
    assert kernels().host_sum(made) == 30
    assert repr(made) == "tain.Tensor([ 3.,  6.,  9., 12.], dtype=float32)"
    assert float(made[1]) == 6
    del made
    gc.collect()
    assert kernels().freed() == before
    assert array.tolist() == [3, 6, 9, 12]
    del array
    gc.collect()
    assert kernels().freed() == before + 1


@pytest.mark.parametrize("kind", KINDS)
def test_such_memory_is_saved_and_copied(kind: str) -> None:
    made: Any = getattr(kernels(), KINDS[kind])(2)
    made[...] = [1, 2]
    assert tain.load_binary(tain.save_binary(made)).tolist() == [1, 2]
    assert tain.load_json(tain.save_json(made)).tolist() == [1, 2]
    target = np.zeros(2, np.float32)
    assert made.copyto(target) is target
    assert target.tolist() == [1, 2]
    assert tain.structural_equal(made, tain.tensor([1, 2], "float32"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_parameter_on_the_device_refuses_them(kind: str) -> None:
    made: Any = getattr(kernels(), KINDS[kind])(2)
    with pytest.raises(TypeError) as caught:
        kernels().scale(made, 1.0)
    assert str(caught.value) == (
        "scale: argument arg0: expected row-major Tensor of float32 with 1 dimension on cuda, got "
        f"Tensor (float32, shape (2,), {kind}:0)"
    )
