# SPDX-License-Identifier: Apache-2.0
"""tain.dtype: names and spellings, equality, lanes, to and from numpy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from errors import no_dtype_text, raises

import tain
from tain import _core

device, dtype = _core.device, tain.dtype
DTYPES = [
    # name, code, bits, lanes, bytes
    ("int8", 0, 8, 1, 1),
    ("int64", 0, 64, 1, 8),
    ("uint16", 1, 16, 1, 2),
    ("float32", 2, 32, 1, 4),
    ("float32x4", 2, 32, 4, 16),
    ("handle", 3, 64, 1, 8),
    ("bfloat16", 4, 16, 1, 2),
    ("complex128", 5, 128, 1, 16),
    ("bool", 6, 8, 1, 1),
    ("int4", 0, 4, 1, 1),
    ("int4x8", 0, 4, 8, 4),
    ("float8_e4m3fn", 10, 8, 1, 1),
    ("float6_e2m3fn", 15, 6, 1, 1),
    ("float4_e2m1fnx2", 17, 4, 2, 1),
]


@pytest.mark.parametrize(("name", "code", "bits", "lanes", "itemsize"), DTYPES)
def test_names_of_data_types(name: str, code: int, bits: int, lanes: int, itemsize: int) -> None:
    made = dtype(name)
    assert (made.code, made.bits, made.lanes, made.itemsize) == (code, bits, lanes, itemsize)
    assert str(made) == name and repr(made) == f"dtype('{name}')"
    assert made == name and hash(made) == hash(name) and made == dtype(made)
    assert made.with_lanes(lanes) == made
    assert dtype(f"torch.{name}") == made


def test_data_types_differ() -> None:
    assert len({dtype("int8"), dtype("uint8"), dtype("int8x2"), dtype("int8"), "int8"}) == 3
    assert dtype("int8") != "uint8" and dtype("int8") != 8 and dtype("int8") != object()


def test_other_spellings() -> None:
    assert dtype("int") == "int32" and dtype("int") != "int"
    assert dtype("torch.float4_e2m1fn_x2") == "float4_e2m1fnx2"


def test_vectors_of_scalable_length() -> None:
    made = dtype("float32xvscalex4")
    assert made.lanes == -4
    with raises(ValueError, "dtype: a vector of scalable length has no fixed size"):
        assert made.itemsize


NO_DTYPE = "dtype: expected the name of a data type, a numpy.dtype or a torch.dtype"
WRONG_DTYPES = [  # (what is given, error, text)
    *((name, ValueError, no_dtype_text(name)) for name in ("flot32", "", "float32x", "float32x0")),
    (3, TypeError, f"{NO_DTYPE}, got int (3)"),
    (None, TypeError, f"{NO_DTYPE}, got None"),
    (float, TypeError, f"{NO_DTYPE}, got type (<class 'float'>)"),
]


@pytest.mark.parametrize(("wrong", "kind", "text"), WRONG_DTYPES)
@pytest.mark.bad_input
def test_wrong_data_types(wrong: object, kind: type[Exception], text: str) -> None:
    with raises(kind, text):
        dtype(wrong)


@pytest.mark.parametrize("lanes", [0, -1, 32768])
@pytest.mark.bad_input
def test_wrong_lanes(lanes: int) -> None:
    with raises(ValueError, f"dtype: lanes: expected int in 1..32767, got {lanes}"):
        dtype("int8").with_lanes(lanes)


def test_numpy_is_imported_only_when_asked_for(run: Callable[..., str]) -> None:
    code = """
        import sys, tain
        kind = tain.dtype("float32")
        assert kind != 3 and "numpy" not in sys.modules
        try:
            tain.dtype(object())
        except TypeError:
            assert "numpy" not in sys.modules
        print(kind.numpy())
        assert "numpy" in sys.modules
    """
    assert run(code) == "float32\n"


def test_to_and_from_numpy() -> None:
    for name in ("int8", "uint64", "float16", "float64", "bool", "complex64"):
        assert dtype(np.dtype(name)) == name
        assert dtype(name).numpy() == np.dtype(name) == np.dtype(dtype(name))
    assert dtype(np.float32) == "float32"
    assert dtype(dtype("float32x4").numpy()) == "float32x4"
    assert np.zeros(2, dtype=dtype("int16")).dtype == np.int16
    assert dtype("int8") == np.dtype("int8")


@pytest.mark.bad_input
def test_what_only_numpy_has() -> None:
    for wrong in ("O", "M8[s]", "S3", np.longdouble):
        text = f"dtype: {np.dtype(wrong)!r}: it has no counterpart among the data types"
        with raises(ValueError, text):
            dtype(np.dtype(wrong))
    foreign = np.dtype("float32").newbyteorder()
    with raises(ValueError, f"dtype: {foreign!r}: its byte order is not native"):
        dtype(foreign)
    square = np.dtype(("float32", (2, 2)))
    with raises(ValueError, f"dtype: {square!r}: only one dimension can be lanes"):
        dtype(square)
    with raises(TypeError, "numpy has no data type for handle"):
        dtype("handle").numpy()


def test_what_ml_dtypes_adds() -> None:
    try:
        import ml_dtypes
    except ImportError:
        with raises(TypeError, "numpy has no data type for bfloat16; install ml_dtypes"):
            dtype("bfloat16").numpy()
        return
    assert dtype("bfloat16").numpy() == ml_dtypes.bfloat16
    assert dtype(ml_dtypes.float8_e4m3fn) == "float8_e4m3fn"
