# SPDX-License-Identifier: Apache-2.0
"""Names that tensors, data types and devices have in the ecosystem of the binary contract, too."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tain


def test_tensors() -> None:
    array = np.arange(6.0).reshape(2, 3)
    tensor = tain.from_dlpack(array)
    assert tensor.numel() == tensor.size == 6
    assert tensor.data_ptr() == array.ctypes.data
    assert tensor[1:].data_ptr() == array[1:].ctypes.data


def test_devices_and_data_types() -> None:
    assert tain.device("cuda:1").dlpack_device_type() == 2
    assert tain.dtype("float32").type_code == tain.dtype("float32").code == 2


@pytest.mark.parametrize(
    ("short", "name"),
    [
        *(("i8", "int8"), ("i32", "int32"), ("u64", "uint64"), ("f16", "float16")),
        *(("f64", "float64"), ("bf16", "bfloat16"), ("i32x4", "int32x4"), ("u1", "uint1")),
        *(("e4m3", "float8_e4m3"), ("e4m3fn", "float8_e4m3fn"), ("e5m2", "float8_e5m2")),
        *(("e8m0fnu", "float8_e8m0fnu"), ("e2m1fn", "float4_e2m1fn")),
        *(("e2m1fnx2", "float4_e2m1fnx2"), ("f32x4", "float32x4"), ("f8_e4m3", "float8_e4m3")),
        *(("fp8_e5m2x4", "float8_e5m2x4"), ("fp6_e3m2fn", "float6_e3m2fn")),
        *(("f4_e2m1fn_x2", "float4_e2m1fnx2"), ("float4_e2m1fn_x2", "float4_e2m1fnx2")),
    ],
)
def test_short_names_of_data_types(short: str, name: str) -> None:
    assert tain.dtype(short) == tain.dtype(name)
    assert str(tain.dtype(short)) == name


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *(("bool", "is_bool"), ("int8", "is_integer"), ("uint64x2", "is_integer")),
        *(("float16", "is_float"), ("bfloat16", "is_float"), ("e5m2", "is_float")),
        *(("float4_e2m1fn", "is_float"), ("handle", "is_handle"), ("void", "is_handle")),
        ("complex64", ""),
    ],
)
def test_kinds_of_data_types(name: str, kind: str) -> None:
    kinds = ("is_bool", "is_integer", "is_float", "is_handle")
    assert [one for one in kinds if getattr(tain.dtype(name), one)] == [kind] * bool(kind)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "name",
    [
        *(
            "i",
            "f",
            "bf",
            "u",
            "f8",
            "i0",
            "i256",
            "e4m",
            "e4m3 ",
            "x4",
            "f8_",
            "fp",
            "fp8",
            "f6_e4m3",
        ),
        *("float4_e4m3", "float16_e4m3", "f8_e4m3_", "f8_e4m3_x", "float32_x2", "bool_x2"),
    ],
)
def test_what_is_no_short_name(name: str) -> None:
    with pytest.raises(ValueError, match="short names as i32"):
        tain.dtype(name)


@pytest.mark.bad_input
def test_what_an_import_requires() -> None:
    array = np.zeros(64, np.uint8)
    start = -array.ctypes.data % 32
    tensor = tain.from_dlpack(array[start:], require_alignment=32, require_contiguous=True)
    assert tensor.data_ptr() % 32 == 0
    with pytest.raises(ValueError, match="expected memory at a multiple of 32 bytes"):
        tain.from_dlpack(array[start + 1 :], require_alignment=32)
    gaps = re.escape("expected a row-major tensor, got strides (2,)")
    with pytest.raises(ValueError, match=gaps):
        tain.from_dlpack(array[::2], require_contiguous=True)
    capsule = array[::2].__dlpack__()
    with pytest.raises(ValueError, match="expected a row-major tensor"):
        tain.from_dlpack(capsule, require_contiguous=True)
