# SPDX-License-Identifier: Apache-2.0
"""numpy's arrays with the types of ml_dtypes, which PyTorch's extra installs too."""

from __future__ import annotations

import pickle

import ml_dtypes
import numpy as np
import pytest

import tain

echo = tain.testing.echo
TYPES = ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz", "float8_e8m0fnu"]


@pytest.mark.parametrize("name", TYPES)
def test_an_array_is_a_tensor(name: str) -> None:
    array = np.array([0.5, 1, 2]).astype(getattr(ml_dtypes, name))
    assert echo(array) is array
    kept: list[tain.Tensor] = []

    def look(x: tain.Tensor) -> None:
        kept.append(x)

    look.__annotations__["x"] = tain.Tensor
    tain.convert(look)(array)
    (tensor,) = kept
    assert str(tensor.dtype) == name
    assert tensor.numpy().dtype == array.dtype
    assert np.shares_memory(tensor.numpy(), array)
    assert tensor.tolist() == array.tolist()
    assert pickle.loads(pickle.dumps(tensor)).tolist() == array.tolist()


def test_types_that_take_a_byte_for_less() -> None:
    array = np.zeros(2, ml_dtypes.int4)
    assert echo(array) is array


def test_a_tensor_of_numbers() -> None:
    tensor = tain.tensor([[1.5]], dtype="bfloat16")
    assert repr(tensor) == "tain.Tensor([[1.5]], dtype=bfloat16)"
    tensor[0, 0] = 2
    assert float(tensor) == 2.0
