# SPDX-License-Identifier: Apache-2.0
"""numpy's arrays as arguments: what C++ sees of them, and what Python gets back."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np
import pytest
from errors import raises
from testing_functions import get

import tain

pytestmark = pytest.mark.bad_input

echo = tain.testing.echo
describe, total = get("tensor_describe"), get("tensor_sum")

TYPES = [
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128", "longlong", "ulonglong"),
]


def seen(array: Any) -> tain.Tensor:
    """Return the Tensor that C++ gets for an array."""
    found: list[tain.Tensor] = []

    def keep(x: tain.Tensor) -> None:
        found.append(x)

    keep.__annotations__["x"] = tain.Tensor
    tain.convert(keep)(array)
    return found[0]


@pytest.mark.parametrize("name", TYPES)
def test_each_type_of_numbers_is_seen_and_comes_back(name: str) -> None:
    array = np.arange(6).astype(name).reshape(2, 3)
    assert echo(array) is array
    tensor = seen(array)
    assert tensor.dtype == array.dtype
    assert np.shares_memory(tensor.numpy(), array)
    assert tensor.tolist() == array.tolist()


OPAQUE = {
    "objects": np.array([object()]),
    "dates": np.array(["2020-01-01"], "M8[D]"),
    "spans": np.array([1], "m8[s]"),
    "text": np.array(["a"]),
    "bytes": np.array([b"a"]),
    "structured": np.zeros(2, [("a", "i4")]),
    "swapped": np.zeros(2, np.dtype("f8").newbyteorder()),
    "wide": np.zeros(2, np.longdouble),
    "odd strides": np.zeros(2, [("a", "f8"), ("b", "i4")])["a"],
}


@pytest.mark.parametrize("array", OPAQUE.values(), ids=OPAQUE)
def test_what_a_tensor_cannot_be_stays_itself(array: Any) -> None:
    assert echo(array) is array
    assert echo([array])[0] is array
    with pytest.raises(TypeError, match="expected Tensor of float64 with 1 dimension, got ndarray"):
        total(array)


@pytest.mark.parametrize(
    ("array", "why"),
    [
        (OPAQUE["dates"], "a tensor cannot have such elements (dtype datetime64[D])"),
        (
            OPAQUE["swapped"],
            f"its byte order is not that of this machine (dtype {OPAQUE['swapped'].dtype})",
        ),
        (
            OPAQUE["odd strides"],
            "its strides are no multiples of the size of an element (dtype float64)",
        ),
    ],
)
def test_the_error_says_why(array: Any, why: str) -> None:
    text = "testing.tensor_sum: argument x: expected Tensor of float64 with 1 dimension, got "
    with raises(TypeError, f"{text}ndarray: {why}"):
        total(array)


LAYOUTS = {
    "no dimensions": (np.ones(()), "shape  strides "),
    "empty": (np.zeros((0, 3)), "shape 0,3, strides 0,0,"),
    "reversed": (np.arange(4.0)[::-1], "shape 4, strides -1,"),
    "every second": (np.arange(12.0).reshape(3, 4)[:, ::2], "shape 3,2, strides 4,2,"),
    "broadcast": (np.broadcast_to(np.float32(1), (2, 3)), "shape 2,3, strides 0,0,"),
    "column-major": (np.ones((2, 3), order="F"), "shape 2,3, strides 1,2,"),
    "more than memory": (
        np.broadcast_to(np.int8(1), (2**20, 2**20)),
        "shape 1048576,1048576, strides 0,0,",
    ),
    "64 dimensions": (np.ones((1,) * 64), "shape " + "1," * 64),
}


@pytest.mark.parametrize(("array", "start"), LAYOUTS.values(), ids=LAYOUTS)
def test_layouts(array: Any, start: str) -> None:
    assert describe(array).startswith(start)
    assert echo(array) is array


def test_read_only_arrays_are_for_readers() -> None:
    array = np.arange(3.0)
    array.flags.writeable = False
    assert total(array) == 3.0
    assert seen(array).read_only
    text = "testing.tensor_add_one: argument x: expected writable Tensor, got ndarray (float64, "
    with raises(TypeError, text + "shape (3,), read-only)"):
        get("tensor_add_one")(array, array)


def test_an_empty_array_is_aligned_wherever_it_is() -> None:
    room = np.zeros(17, np.uint8)
    for start in range(8):
        array = room[start:start].view(np.float64)
        assert get("tensor_sum")(array) == 0.0
        assert get("tensor_describe")(array).startswith("shape 0, ")
    for buffer in (bytearray(), memoryview(b"").cast("d"), (ctypes.c_double * 0)()):
        assert "shape 0, " in get("tensor_describe")(buffer)
    assert get("tensor_sum")(memoryview(b"").cast("d")) == 0.0
    assert get("tensor_sum")((ctypes.c_double * 0)()) == 0.0


def test_unaligned_memory_is_refused_by_typed_parameters() -> None:
    array = np.frombuffer(bytearray(17), np.uint8)[1:].view(np.float64)
    text = "testing.tensor_sum: argument x: expected aligned Tensor of float64 with 1 dimension, "
    with raises(TypeError, text + "got ndarray (float64, shape (2,), not aligned)"):
        total(array)
    assert echo(array) is array


def test_subclasses_cross_as_themselves_and_are_tensors_for_typed_parameters() -> None:
    class Mine(np.ndarray):
        pass

    array = np.arange(3.0).view(Mine)
    assert echo(array) is array
    assert total(array) == 3.0
    assert describe(np.ma.masked_array([1.0, 2.0])) == describe(np.ones(2))
    with pytest.raises(TypeError, match="got MaskedArray: it has masked values"):
        describe(np.ma.masked_array([1.0, 2.0], [0, 1]))
    assert get("tensor_identity")(array) is array


def test_a_changed_array_comes_back_as_the_tensor_that_was_passed() -> None:
    array = np.arange(6.0)
    kept = tain.convert([array])
    assert kept[0] is array
    array.resize((2, 3), refcheck=False)  # the memory stays
    assert isinstance(kept[0], tain.Tensor)
    assert kept[0].shape == (6,)
    array.resize(6, refcheck=False)
    assert kept[0].shape == (6,)


def test_an_array_that_is_held_cannot_be_resized() -> None:
    array = np.zeros(3)
    kept = tain.convert([array])
    for check in (True, False):
        with pytest.raises(ValueError, match="cannot resize"):
            array.resize(10**6, refcheck=check)
    assert list(kept[0]) == [0, 0, 0]
    del kept
    array.resize(4, refcheck=False)
    assert array.shape == (4,)


def test_nothing_is_left_after_a_call() -> None:
    array = np.zeros(3)
    before = sys.getrefcount(array)
    total(array)
    echo(array)
    assert sys.getrefcount(array) == before
    assert tain.testing.object_use_count(array) == 1
    assert sys.getrefcount(array) == before


def test_scalars_are_numbers() -> None:
    assert type(echo(np.float64(2.5))) is float
    assert type(echo(np.int8(2))) is int
