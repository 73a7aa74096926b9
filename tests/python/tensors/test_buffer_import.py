# SPDX-License-Identifier: Apache-2.0
"""Arrays by the buffer protocol."""

from __future__ import annotations

import array as arrays
import ctypes
from typing import Any

import numpy as np
import pytest
from tain.types.testing import TensorHolder
from testing_functions import get

import tain

pytestmark = pytest.mark.bad_input

echo = tain.testing.echo
total = get("tensor_sum")
identity = get("tensor_identity")


BUFFERS = {
    "array": arrays.array("d", [1, 2, 3]),
    "memoryview": memoryview(arrays.array("d", [1, 2, 3])),
    "strided": memoryview(arrays.array("d", [1, 0, 2, 0, 3]))[::2],
    "ctypes": (ctypes.c_double * 3)(1, 2, 3),
}


@pytest.mark.parametrize("buffer", BUFFERS.values(), ids=BUFFERS)
def test_typed_parameters_take_buffers(buffer: Any) -> None:
    assert total(buffer) == 6.0
    assert identity(buffer) is buffer


def test_arrays_of_ctypes() -> None:
    """Their buffers have no strides, although they were asked for."""
    target = ((ctypes.c_float * 3) * 2)()
    source = np.arange(6, dtype="float32").reshape(2, 3)
    tain.tensor(source).copyto(target)
    assert [list(row) for row in target] == source.tolist()
    assert tain.tensor((ctypes.c_int16 * 0)()).shape == (0,)
    assert tain.tensor(target).tolist() == source.tolist()


def test_any_takes_buffers_as_before() -> None:
    buffer = arrays.array("d", [1])
    assert echo(buffer) is buffer
    assert echo(memoryview(b"ab")) == b"ab"


def test_a_buffer_is_locked_while_cpp_holds_it() -> None:
    holder = TensorHolder()
    data = bytearray(8)
    holder.tensor = memoryview(data)
    with pytest.raises(BufferError):
        data.extend(b"more")
    holder.tensor = np.zeros(1)
    data.extend(b"more")
