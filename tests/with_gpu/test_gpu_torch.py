# SPDX-License-Identifier: Apache-2.0
"""PyTorch's tensors on a GPU: their memory in both directions, who keeps it, what Python sees."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest
import torch
from kernels import kernels
from tain.types.testing import TensorHolder
from testing_functions import get

import tain

echo = tain.testing.echo

TYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32"]
TYPES += ["float64", "complex64", "complex128", "float8_e4m3fn", "float8_e5m2"]


def cuda(*shape: int) -> torch.Tensor:
    """0, 1, 2 ... as float32."""
    count = 1
    for extent in shape:
        count *= extent
    return torch.arange(count, dtype=torch.float32, device="cuda").reshape(shape)


def allocated() -> int:
    """The bytes that tensors of PyTorch have on the GPU."""
    gc.collect()
    return int(torch.cuda.memory_allocated())


@pytest.mark.parametrize("name", TYPES)
def test_each_type_in_both_directions(name: str) -> None:
    dtype = getattr(torch, name)
    tensor = cuda(2, 3).to(dtype)
    assert echo(tensor) is tensor
    made = tain.from_dlpack(tensor)
    assert (str(made.dtype), made.shape) == (name, (2, 3))
    assert (str(made.device), made.device) == ("cuda:0", tain.device(tensor.device))
    back = torch.from_dlpack(made)
    assert (back.dtype, back.device, back.shape) == (dtype, tensor.device, tensor.shape)
    assert back.data_ptr() == tensor.data_ptr() == kernels().address(made)
    tensor.view(torch.uint8).fill_(1)
    assert torch.equal(back.view(torch.uint8), tensor.view(torch.uint8))


VIEWS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "transposed": lambda x: x.t(),
    "every second row": lambda x: x[::2],
    "a column": lambda x: x[:, 1],
    "rows after the first": lambda x: x[1:],
    "a part of each row": lambda x: x[:, 1:3],
    "the same elements again": lambda x: x.expand(2, 3, 4),
    "no dimensions": lambda x: x[2, 3],
    "no elements": lambda x: x[:0],
}


@pytest.mark.parametrize("view", VIEWS)
def test_layouts(view: str) -> None:
    tensor = VIEWS[view](cuda(3, 4))
    assert echo(tensor) is tensor
    made = tain.from_dlpack(tensor)
    assert made.shape == tensor.shape
    back = torch.from_dlpack(made)
    assert torch.equal(back, tensor)
    if tensor.numel() != 0:
        assert back.data_ptr() == tensor.data_ptr() == kernels().address(made)
        assert back.stride() == tensor.stride() == made.strides
    if tensor.numel() > 1:
        assert made.is_contiguous == tensor.is_contiguous()


def test_what_cpp_sees() -> None:
    text = get("tensor_describe")(cuda(3, 4).t())
    assert text == "shape 4,3, strides 1,4, device 2:0"


def test_read_only_memory() -> None:
    source = cuda(4)
    made = kernels().read_only(tain.from_dlpack(source))
    assert made.read_only
    assert kernels().address(made) == source.data_ptr()
    assert made[1:].read_only
    assert tain.from_dlpack(made).read_only
    with pytest.raises(
        BufferError, match=r"^a read-only tensor cannot be passed in the form before"
    ):
        made.to_dlpack()
    with pytest.raises(ValueError, match=r"^Tensor: the tensor is read-only$"):
        made[0] = 1


def test_memory_of_torch_lives_while_cpp_holds_it() -> None:
    before = allocated()
    tensor = torch.ones(1 << 18, device="cuda")
    during = allocated()
    assert during >= before + (1 << 20)
    dead = weakref.ref(tensor)
    holder = TensorHolder()
    holder.tensor = holder.any = tensor
    holder.many = [tensor]
    assert holder.tensor is holder.any is holder.many[0] is tensor
    del tensor
    assert allocated() == during
    assert dead() is holder.tensor
    del holder
    assert allocated() == before
    assert dead() is None


def test_memory_of_torch_lives_while_a_tensor_shares_it() -> None:
    before = allocated()
    made = tain.from_dlpack(torch.ones(1 << 18, device="cuda"))
    row = made[5:10]
    del made
    assert allocated() >= before + (1 << 20)
    assert torch.from_dlpack(row).tolist() == [1] * 5
    del row
    assert allocated() == before


def test_memory_of_cpp_lives_while_torch_holds_it() -> None:
    before = kernels().freed()
    made = kernels().device_memory(10)
    assert isinstance(made, tain.Tensor)
    view = torch.from_dlpack(made).fill_(3)
    assert view.data_ptr() == kernels().address(made)
    part = view[2:4]
    del made, view
    gc.collect()
    assert kernels().freed() == before
    assert part.tolist() == [3, 3]
    del part
    gc.collect()
    assert kernels().freed() == before + 1


def test_a_capsule_that_nobody_takes() -> None:
    before = kernels().freed()
    made = kernels().device_memory(10)
    for _ in range(3):
        made.__dlpack__(stream=1, max_version=(1, 0))
        made.to_dlpack()
    del made
    gc.collect()
    assert kernels().freed() == before + 1


def test_a_result_is_a_tensor_of_torch() -> None:
    before = allocated()
    x = cuda(300)
    made = kernels().plus_one(x)
    assert isinstance(made, torch.Tensor)
    assert (made.device, made.dtype) == (x.device, x.dtype)
    assert torch.equal(made, x + 1)
    assert get("tensor_identity")(x=x) is x
    assert get("tensor_identity")(x) is x
    del made, x
    assert allocated() == before


def test_a_result_where_no_argument_is_a_tensor_of_torch() -> None:
    made = kernels().device_memory(3)
    torch.from_dlpack(made).fill_(1)
    text = (
        "Tensor: no allocator for cuda:0: set one with TainEnvSetDLPackManagedTensorAllocator, or "
        "make the tensor with the library of the device"
    )
    with pytest.raises(ValueError, match=f"^{text}$"):
        kernels().plus_one(made)
    as_torch = kernels().device_memory.with_tensor_type(torch.Tensor)(3)
    assert isinstance(as_torch, torch.Tensor)
    assert as_torch.device == torch.device("cuda:0")


def test_a_function_of_torch_with_an_override() -> None:
    """A parameter of a network, and a tensor that needs a gradient."""
    layer = torch.nn.Linear(3, 1, device="cuda")
    assert echo(layer.weight) is layer.weight
    assert kernels().address(layer.weight) == layer.weight.data_ptr()
    assert isinstance(kernels().plus_one(layer.weight.detach()), torch.Tensor)


def test_the_text() -> None:
    made = tain.from_dlpack(cuda(2, 3))
    assert repr(made) == str(made) == "tain.Tensor(shape=(2, 3), dtype=float32, device=cuda:0)"


INDICES: list[Any] = [0, -1, slice(1, None), (slice(None), 1), (..., 2), (1, 2), (None, 0)]


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_parts_are_views(index: Any) -> None:
    source = cuda(3, 4)
    part = tain.from_dlpack(source)[index]
    assert isinstance(part, tain.Tensor)
    back = torch.from_dlpack(part)
    assert torch.equal(back, source[index])
    assert back.data_ptr() == source[index].data_ptr()


def test_transposed_and_iterated() -> None:
    source = cuda(3, 4)
    made = tain.from_dlpack(source)
    assert torch.equal(torch.from_dlpack(made.T), source.T)
    assert torch.from_dlpack(made.mT).data_ptr() == source.data_ptr()
    assert [torch.from_dlpack(row).tolist() for row in made] == source.tolist()
    assert len(made) == 3
    assert (made.size, made.nbytes, made.ndim) == (12, 48, 2)


def test_callbacks() -> None:
    x = cuda(4)
    apply = get("tensor_apply")
    assert apply(lambda y: y, x) is x
    assert torch.equal(apply(lambda y: y * 2, x), x * 2)
    assert kernels().with_stream(0, lambda: x) is x


def test_devices() -> None:
    for given in ("cuda", "cuda:0", 2, torch.device("cuda", 0), torch.device("cuda:0")):
        assert str(tain.device(given)) == "cuda:0"
    made = tain.from_dlpack(cuda(1))
    assert made.to("cuda") is made
    assert made.to(torch.device("cuda:0")) is made
    assert made.__dlpack_device__() == (2, 0)


def test_custom_operators_and_compiled_functions() -> None:
    """A function of tain as an operator of PyTorch, and where torch.compile meets one."""
    scale = tain.to_pytorch_func(kernels().scale)

    @torch.library.custom_op("tain_with_gpu::scale", mutates_args=("x",))
    def scale_op(x: torch.Tensor, by: float) -> None:
        scale(x, by)

    scale_op.register_fake(lambda x, by: None)

    @torch.compile(backend="eager", fullgraph=True)
    def whole(x: torch.Tensor) -> torch.Tensor:
        y = x + 1
        scale_op(y, 2.0)
        return y + 1

    assert whole(cuda(3)).tolist() == [3, 5, 7]
