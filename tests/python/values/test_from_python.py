# SPDX-License-Identifier: Apache-2.0
"""Python values on the way to C++: ranges, numpy's scalars, protocols, what passes through."""

from __future__ import annotations

import collections
import ctypes
import decimal

import numpy as np
import pytest
from conversion_rows import Index
from errors import raises
from testing_functions import get

import tain
from tain.types import testing as t

WIDTHS = [("int", 8), ("int", 16), ("int", 32), ("int", 64), ("uint", 8), ("uint", 16),
          ("uint", 32), ("uint", 64)]  # fmt: skip


@pytest.mark.bad_input
@pytest.mark.parametrize(("kind", "bits"), WIDTHS)
def test_ranges_of_integers(kind: str, bits: int) -> None:
    echo = get(f"echo_{kind}{bits}")
    low = -(2 ** (bits - 1)) if kind == "int" else 0
    high = 2 ** (bits - 1) - 1 if kind == "int" else 2**bits - 1
    for value in (low, low + 1, 0, high - 1, high):
        assert echo(value) == value
    for value in (low - 1, high + 1, 2**70, -(2**70)):
        with pytest.raises(OverflowError) as caught:
            echo(value)
        where = f"testing.echo_{kind}{bits}: argument x: expected int in {low}..{high}"
        assert str(caught.value) == f"{where}, got {value}"


BUFFERS = [
    (bytearray(b"abc"), b"abc"),
    (bytearray(b"x" * 50), b"x" * 50),
    (memoryview(b"abcdefghijkl"), b"abcdefghijkl"),
    (memoryview(b"abcdef")[::2], b"ace"),
    (memoryview(b""), b""),
]


@pytest.mark.parametrize(("value", "expected"), BUFFERS)
def test_buffers_arrive_as_bytes(value: object, expected: bytes) -> None:
    for name in ("echo", "echo_bytes"):
        result = get(name)(value)
        assert result == expected
        assert type(result) is bytes
    assert get("apply")(lambda x: x, value) == expected


@pytest.mark.parametrize("type_", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64])
def test_numpy_integers_are_exact(type_: type) -> None:
    info = np.iinfo(type_)
    for value in (info.min, 0, info.max):
        result = get("echo")(type_(value))
        assert (result, type(result)) == (int(value), int)
        if info.max <= 2**63 - 1:
            assert get("echo_int64")(type_(value)) == value


@pytest.mark.parametrize(
    ("value", "expected"),
    [(np.float32(0.5), 0.5), (np.float64(0.1), 0.1), (np.float16(2), 2.0), (np.bool_(True), True)],
)
def test_numpy_floats_and_bools(value: np.generic, expected: object) -> None:
    result = get("echo")(value)
    assert (result, type(result)) == (expected, type(expected))


def test_other_python_objects_pass_through() -> None:
    echo = get("echo")
    for value in (object(), {1, 2}, 1 + 2j, ..., range(3), Exception("x"), iter([])):
        assert echo(value) is value


@pytest.mark.bad_input
@pytest.mark.parametrize("given", [128, -129, 2**70, Index(128), np.int16(128), -(2**64)])
def test_out_of_range(given: object) -> None:
    value = int(given)
    with pytest.raises(OverflowError) as caught:
        get("echo_int8")(given)
    expected = f"expected int in -128..127, got {value}"
    assert str(caught.value) == f"testing.echo_int8: argument x: {expected}"
    with raises(OverflowError, f"testing.echo_std_vector_int8: argument x[1]: {expected}"):
        get("echo_std_vector_int8")([0, given])
    kinds = t.AllKinds()
    with raises(OverflowError, f"AllKinds.i8: {expected}"):
        kinds.i8 = given
    assert kinds.i8 == -8


def test_numbers_by_protocol_in_fields() -> None:
    kinds = t.AllKinds()
    kinds.i8, kinds.u64, kinds.f64 = Index(3), Index(2**64 - 1), decimal.Decimal("0.25")
    assert (kinds.i8, kinds.u64, kinds.f64) == (3, 2**64 - 1, 0.25)
    kinds.ints = range(3)
    kinds.list = (x for x in "ab")
    kinds.map = collections.ChainMap({"a": 1})
    assert (kinds.ints, kinds.list, kinds.map) == ([0, 1, 2], ["a", "b"], {"a": 1})


class Bad:
    def __index__(self) -> int:
        raise KeyError("index")

    def __float__(self) -> float:
        raise KeyError("float")

    def __iter__(self) -> object:
        raise KeyError("iter")

    def __fspath__(self) -> str:
        raise KeyError("fspath")


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("name", "which"),
    [("int8", "index"), ("double", "float"), ("array_int", "iter"), ("std_vector_int", "iter"),
     ("std_path", "fspath"), ("optional_int", "index"), ("std_seconds", "float")],
)  # fmt: skip
def test_what_a_protocol_raises_is_passed_on(name: str, which: str) -> None:
    with raises(KeyError, f"'{which}'"):
        get(f"echo_{name}")(Bad())


class Says(Bad):
    def __index__(self) -> int:
        raise TypeError("not today")


@pytest.mark.bad_input
def test_a_protocol_may_decline() -> None:
    given = Says()
    with raises(TypeError, f"testing.echo_int8: argument x: expected int, got Says ({given!r})"):
        get("echo_int8")(given)


def test_pointers() -> None:
    echo = tain.get_global_func("testing.echo")
    kinds = tain.types.testing.AllKinds()
    assert kinds.pointer is None
    kinds.pointer = ctypes.c_void_p(1234)
    assert isinstance(kinds.pointer, ctypes.c_void_p) and kinds.pointer.value == 1234
    kinds.pointer = None
    assert kinds.pointer is None
    assert echo(ctypes.c_void_p(5)).value == 5 and echo(ctypes.c_void_p(0)) is None
