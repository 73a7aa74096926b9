# SPDX-License-Identifier: Apache-2.0
"""PyTorch's tensors as arguments and results; CI has a stage of its own for them."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest
import torch
from tain.types.testing import TensorHolder

import tain

echo = tain.testing.echo


def get(name: str) -> tain.Function:
    return tain.get_global_func("testing.tensor_" + name)


TYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32"]
TYPES += ["float64", "complex64", "complex128", "float8_e4m3fn", "float8_e5m2"]


@pytest.mark.parametrize("name", TYPES)
def test_each_type_comes_back_as_itself(name: str) -> None:
    tensor = torch.zeros(2, 3).to(getattr(torch, name))
    assert echo(tensor) is tensor
    made = tain.from_dlpack(tensor)
    assert made.dtype == getattr(torch, name)
    assert str(made.dtype) == name
    assert torch.from_dlpack(made).data_ptr() == tensor.data_ptr()


def test_a_kernel_writes_into_a_tensor() -> None:
    x, y = torch.tensor([1.0, 2.0, 3.0]), torch.empty(3)
    get("add_one")(x, y)
    assert y.tolist() == [2, 3, 4]


def test_layouts() -> None:
    tensor = torch.arange(12.0).reshape(3, 4)
    for view in (tensor.t(), tensor[::2], tensor[:, 1], tensor.expand(2, 3, 4), torch.ones(())):
        assert echo(view) is view
        assert tain.from_dlpack(view).tolist() == view.tolist()
    assert get("describe")(tensor.t()).startswith("shape 4,3, strides 1,4,")


def test_the_first_tensor_decides_what_the_result_is() -> None:
    negative = get("negative")
    assert isinstance(negative(torch.ones(2)), torch.Tensor)
    assert isinstance(negative(x=torch.ones(2)), torch.Tensor)
    assert isinstance(negative(np.ones(2, np.float32)), tain.Tensor)
    assert isinstance(negative(tain.tensor([1.0], "float32")), tain.Tensor)
    assert negative(torch.ones(2)).tolist() == [-1, -1]
    x = torch.ones(2)
    assert get("identity")(x) is x


def test_the_result_of_an_overloaded_function() -> None:
    repeated = get("overload")
    made = repeated(torch.ones(2), 2)
    assert isinstance(made, torch.Tensor)
    assert made.tolist() == [1, 1, 1, 1]
    assert isinstance(repeated(x=torch.ones(2), n=1), torch.Tensor)
    assert isinstance(repeated(np.ones(2), 2), tain.Tensor)
    assert repeated(torch.ones(2)) == 0  # another candidate: the stream of the processor


def test_another_class_of_results() -> None:
    negative, zeros = get("negative"), get("zeros")
    x = torch.ones(2)
    assert isinstance(negative.with_tensor_type(None)(x), tain.Tensor)
    assert isinstance(negative.with_tensor_type(np.ndarray)(x), np.ndarray)
    made = zeros.with_tensor_type(torch.Tensor)([2])
    assert isinstance(made, torch.Tensor)
    assert made.tolist() == [0, 0]
    assert get("identity").with_tensor_type(None)(x) is x  # made of an array: that array


def test_a_parameter_of_a_network() -> None:
    layer = torch.nn.Linear(2, 2)
    assert echo(layer.weight) is layer.weight
    assert isinstance(get("negative")(layer.weight.detach()), torch.Tensor)


def test_fields_and_containers() -> None:
    tensor = torch.ones(3)
    holder = TensorHolder()
    holder.tensor, holder.any, holder.many = tensor, tensor, [tensor]
    assert holder.tensor is holder.any is holder.many[0] is tensor
    tensor.resize_(100)
    assert isinstance(holder.tensor, tain.Tensor)
    assert holder.tensor.shape == (3,)


def test_the_tensor_lives_as_long_as_cpp_needs_it() -> None:
    tensor = torch.ones(1000)
    dead = weakref.ref(tensor)
    holder = TensorHolder()
    holder.tensor = tensor
    del tensor
    gc.collect()
    assert dead() is holder.tensor
    del holder
    gc.collect()
    assert dead() is None


def test_copyto_and_from_dlpack_both_ways() -> None:
    source = tain.tensor([1.0, 2.0])
    target = torch.zeros(2, dtype=torch.float64)
    assert source.copyto(target) is target
    assert target.tolist() == [1, 2]
    shared = torch.from_dlpack(source)
    shared[0] = 5
    assert source.tolist() == [5, 2]


def test_callbacks() -> None:
    tensor = torch.ones(2)
    got: list[Any] = []

    def wants(x: tain.Tensor) -> None:
        got.append(x)

    wants.__annotations__["x"] = tain.Tensor
    assert get("apply")(lambda x: x, tensor) is tensor
    get("apply")(wants, tensor)
    assert isinstance(got[0], tain.Tensor)


def test_a_cycle_through_an_attribute_of_a_tensor_is_not_collected() -> None:
    """docs/tensors.md says so; if PyTorch shows the attributes to the collector, it must change."""
    tensor = torch.ones(3)
    holder = TensorHolder()
    holder.tensor = tensor
    tensor.holder = holder  # type: ignore[attr-defined]
    dead = weakref.ref(tensor)
    del tensor, holder
    gc.collect()
    alive = dead()
    assert alive is not None
    del alive.holder
    del alive
    gc.collect()
    assert dead() is None


def test_what_torch_has_put_off() -> None:
    """A pointer to the elements does not show that they are conjugated or negated."""
    z = torch.tensor([1 + 2j, 3 + 4j], dtype=torch.complex128)
    total = tain.get_global_func("testing.tensor_sum")
    imaginary = z.conj().imag
    assert float(imaginary.sum()) == -6
    for late in (imaginary, imaginary[:1]):
        with pytest.raises(TypeError, match=r"negated when torch reads them: call resolve_neg\(\)"):
            total(late)
        assert echo(late) is late
    with pytest.raises(BufferError):
        tain.from_dlpack(z.conj())
    assert echo(z.conj()[0].conj()).tolist() == 1 + 2j
    assert total(imaginary.resolve_neg().contiguous()) == -6
    assert echo(z) is z
