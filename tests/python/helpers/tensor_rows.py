# SPDX-License-Identifier: Apache-2.0
"""What the documents that tain follows show of tensors, for test_source_documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from errors import raises
from testing_functions import get

import tain


def guide_01() -> None:
    data = np.array([1, 2, 3, 4], dtype=np.float32)
    tensor = tain.from_dlpack(data)
    back = np.from_dlpack(tensor)
    assert np.array_equal(back, data)
    assert np.shares_memory(back, data)


def guide_02() -> None:
    seen: list[Any] = []

    def look(x: tain.Tensor) -> None:
        seen.append(x)

    look.__annotations__["x"] = tain.Tensor
    array = np.arange(3.0)
    tain.testing.apply(look, array)
    assert isinstance(seen[0], tain.Tensor)
    assert np.shares_memory(seen[0].numpy(), array)
    assert tain.testing.echo(array) is array
    assert get("tensor_sum")(array) == 3.0


def guide_06() -> None:
    module = tain.cpp.load_inline(
        name="source_documents_inline",
        cpp_sources="""
            int64_t add_one_below(int64_t x, int64_t limit) {
              TAIN_ICHECK(x < limit) << "x 必须小于 " << limit;
              return x + 1;
            }
            void add_one_cpu(tvm::ffi::TensorView x, tain::TensorView y) {
              TAIN_ICHECK(x->ndim == 1) << "x 必须是一维";
              DLDataType f32_dtype{kDLFloat, 32, 1};
              TVM_FFI_ICHECK(x->dtype == f32_dtype) << "float32";
              TAIN_ICHECK(y->dtype == DLDataType{kDLFloat, 32, 1});
              for (int i = 0; i < x->shape[0]; ++i) {
                static_cast<float*>(y->data)[i] = static_cast<float*>(x->data)[i] + 1;
              }
            }
        """,
        functions=["add_one_below", "add_one_cpu"],
    )
    assert module.add_one_below(1, 5) == 2
    with raises(tain.InternalError, "Check failed: (x < limit) is false: x 必须小于 5"):
        module.add_one_below(5, 5)
    x, y = np.array([1, 2, 3], np.float32), np.empty(3, np.float32)
    module.add_one_cpu(x, y)
    assert y.tolist() == [2, 3, 4]
    with raises(tain.InternalError, "Check failed: (x->ndim == 1) is false: x 必须是一维"):
        module.add_one_cpu(np.ones((1, 1), np.float32), y)


def packedfunc_21() -> None:
    count = get("object_use_count")

    def check(array: tain.Tensor) -> None:
        assert not array.is_view
        assert count(array) == 1

    tensor = tain.tensor([1, 2, 3])
    tain.convert(check)(tensor)
    assert count(tensor) == 1
    data = np.arange(3.0)
    assert count(data) == 1  # the tensor that the call makes
    tain.convert(lambda x: None)(data)
    assert count(data) == 1


def packedfunc_22() -> None:
    tensor = tain.tensor(np.arange(3.0))
    assert np.array_equal(tain.from_dlpack(tensor.to_dlpack()).numpy(), tensor.numpy())
    target = tain.empty((3,), "float64")
    tensor.copyto(target)
    assert target.tolist() == [0, 1, 2]
    assert tain.to_pytorch_func(tain.testing.echo) is tain.testing.echo


def packedfunc_29() -> None:
    """A Python function between two stages of C++ gets tensors and writes into one."""

    def hook(x: tain.Tensor, y: tain.Tensor) -> None:
        tain.tensor(x.numpy() + 1).copyto(y)

    hook.__annotations__.update(x=tain.Tensor, y=tain.Tensor)
    tain.register_global_func("source_documents.hook", hook)
    module = tain.cpp.load_inline(
        name="source_documents_stages",
        cpp_sources="""
            // Doubles, calls the hook, doubles again.
            tain::Tensor stages(tain::Tensor x) {
              auto first = tain::Tensor::Empty(x.shape(), x.dtype());
              auto last = tain::Tensor::Empty(x.shape(), x.dtype());
              for (int64_t i = 0; i < x.numel(); ++i) {
                first.at<double>(i) = 2 * x.at<double>(i);
              }
              tain::Function::GetGlobalRequired("source_documents.hook")(first, last);
              for (int64_t i = 0; i < x.numel(); ++i) last.at<double>(i) *= 2;
              return last;
            }
        """,
        functions="stages",
    )
    try:
        for source in (np.array([1.0, 2.0]), tain.tensor([1.0, 2.0])):
            assert module.stages(source).tolist() == [6, 10]
        source, target = np.array([1.0, 2.0]), np.zeros(2)
        tain.convert(hook)(source, target)  # arrays, by the annotation
        assert target.tolist() == [2, 3]
    finally:
        tain.remove_global_func("source_documents.hook")


ROWS: dict[str, Callable[[], None]] = {
    "guide-01": guide_01,
    "guide-02": guide_02,
    "guide-06": guide_06,
    "packedfunc-21": packedfunc_21,
    "packedfunc-22": packedfunc_22,
    "packedfunc-29": packedfunc_29,
}
