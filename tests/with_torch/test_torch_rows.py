# SPDX-License-Identifier: Apache-2.0
"""The rows of docs/source_documents.md that concern arrays, with PyTorch's; with numpy's they stand
in tests/python/helpers/tensor_rows.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensor_rows
import torch
from errors import raises
from testing_functions import get

import tain

ROWS: dict[str, Callable[[], None]] = {}


def row(name: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Give a check the id of its row."""

    def add(check: Callable[[], None]) -> Callable[[], None]:
        ROWS[name] = check
        return check

    return add


@row("guide-01")
def _() -> None:
    data = torch.tensor([1.0, 2.0, 3.0])
    tensor = tain.from_dlpack(data)
    back = torch.from_dlpack(tensor)
    assert torch.equal(back, data)
    assert back.data_ptr() == data.data_ptr()
    assert np.array_equal(np.from_dlpack(tensor), data.numpy())


@row("guide-02")
def _() -> None:
    seen: list[Any] = []

    def look(x: tain.Tensor) -> None:
        seen.append(x)

    look.__annotations__["x"] = tain.Tensor
    tensor = torch.arange(3, dtype=torch.float64)
    tain.testing.apply(look, tensor)
    assert isinstance(seen[0], tain.Tensor)
    assert torch.from_dlpack(seen[0]).data_ptr() == tensor.data_ptr()
    assert tain.testing.echo(tensor) is tensor
    assert get("tensor_sum")(tensor) == 3.0


@row("guide-06")
def _() -> None:
    module = tain.cpp.load_inline(
        name="torch_rows_inline",
        cpp_sources="""
            void add_one_cpu(tvm::ffi::TensorView x, tvm::ffi::TensorView y) {
              TVM_FFI_ICHECK(x->ndim == 1) << "x 必须是一维";
              DLDataType f32_dtype{kDLFloat, 32, 1};
              TVM_FFI_ICHECK(x->dtype == f32_dtype) << "x must be float32";
              TVM_FFI_ICHECK(y->dtype == DLDataType{kDLFloat, 32, 1});
              TVM_FFI_ICHECK(x->shape[0] == y->shape[0]);
              for (int i = 0; i < x->shape[0]; ++i) {
                static_cast<float*>(y->data)[i] = static_cast<float*>(x->data)[i] + 1;
              }
            }
        """,
        functions=["add_one_cpu"],
    )
    x = torch.tensor([1, 2, 3, 4, 5], dtype=torch.float32)
    y = torch.empty_like(x)
    module.add_one_cpu(x, y)
    torch.testing.assert_close(x + 1, y)
    with raises(tain.InternalError, "Check failed: (x->ndim == 1) is false: x 必须是一维"):
        module.add_one_cpu(torch.ones(1, 1), y)


@row("packedfunc-21")
def _() -> None:
    count = get("object_use_count")
    data = torch.arange(3)
    assert count(data) == 1  # the tensor that the call makes
    tain.convert(lambda x: None)(data)
    assert count(data) == 1

    def check(x: tain.Tensor) -> None:
        assert not x.is_view

    check.__annotations__["x"] = tain.Tensor
    tain.convert(check)(data)


@row("packedfunc-22")
def _() -> None:
    data = torch.rand(7, 5)
    tensor = tain.from_dlpack(torch.utils.dlpack.to_dlpack(data))
    assert torch.utils.dlpack.from_dlpack(tensor.to_dlpack()).data_ptr() == data.data_ptr()
    target = torch.zeros(7, 5)
    assert tensor.copyto(target) is target
    assert torch.equal(target, data)
    wrapped = tain.to_pytorch_func(tain.testing.echo)
    assert wrapped(data) is data


@row("packedfunc-29")
def _() -> None:
    """A Python function between two stages of C++ writes into a tensor with PyTorch."""
    hook_name = "torch_rows.hook"

    def hook(x: tain.Tensor, y: tain.Tensor) -> None:
        tain.from_dlpack(torch.from_dlpack(x) + 1).copyto(y)

    hook.__annotations__.update(x=tain.Tensor, y=tain.Tensor)
    tain.register_global_func(hook_name, hook)
    module = tain.cpp.load_inline(
        name="torch_rows_stages",
        cpp_sources="""
            tain::Tensor stages(tain::Tensor x) {
              auto first = tain::Tensor::Empty(x.shape(), x.dtype());
              auto last = tain::Tensor::Empty(x.shape(), x.dtype());
              for (int64_t i = 0; i < x.numel(); ++i) first.at<float>(i) = 2 * x.at<float>(i);
              tain::Function::GetGlobalRequired("torch_rows.hook")(first, last);
              for (int64_t i = 0; i < x.numel(); ++i) last.at<float>(i) *= 2;
              return last;
            }
        """,
        functions="stages",
    )
    try:
        made = module.stages(torch.tensor([1.0, 2.0]))
    finally:
        tain.remove_global_func(hook_name)
    assert isinstance(made, torch.Tensor)
    assert made.tolist() == [6, 10]


@pytest.mark.parametrize("check", [pytest.param(check, id=name) for name, check in ROWS.items()])
def test_row(check: Callable[[], None]) -> None:
    check()


def test_every_row_of_arrays_is_here() -> None:
    assert list(ROWS) == list(tensor_rows.ROWS)
