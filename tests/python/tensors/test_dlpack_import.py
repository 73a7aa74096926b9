# SPDX-License-Identifier: Apache-2.0
"""Arrays by DLPack: methods, capsules, devices, deleters."""

from __future__ import annotations

import ctypes
import gc
import mmap
import sys
import tempfile
from typing import Any

import numpy as np
import pytest
from errors import raises
from producers import Producer, Wrapped
from testing_functions import get

import tain

pytestmark = pytest.mark.bad_input

echo = tain.testing.echo
total = get("tensor_sum")
identity = get("tensor_identity")
TOTAL = "testing.tensor_sum: argument x: expected Tensor of float64 with 1 dimension, got "


def test_any_array_with_dlpack() -> None:
    source = np.arange(3.0)
    array = Wrapped(source)
    assert total(array) == 3.0
    assert echo(array) is array
    assert identity(array) is array
    assert array.asked[0] == {"max_version": (1, 1)}


def test_a_producer_from_before_dlpack_1() -> None:
    class Old(Wrapped):
        def __dlpack__(self, stream: Any = None) -> Any:
            return self.array.__dlpack__()

    assert total(Old(np.arange(3.0))) == 3.0


def test_a_read_only_array_from_before_dlpack_1() -> None:
    """Its form of DLPack cannot say so; its buffer does. JAX's arrays are exported like this."""

    class Old(mmap.mmap):
        def __dlpack_device__(self) -> tuple[int, int]:
            return 1, 0

        def __dlpack__(self, copy: bool = False, **_: Any) -> Any:
            address = np.frombuffer(self, np.uint8).ctypes.data
            writable = np.ctypeslib.as_array((ctypes.c_uint8 * 16).from_address(address))
            return (writable.copy() if copy else writable).__dlpack__()

    with tempfile.TemporaryFile() as file:
        file.write(b"\1" * 16)
        file.flush()
        array = Old(file.fileno(), 16, access=mmap.ACCESS_READ)
        assert tain.from_dlpack(array).read_only
        assert not tain.from_dlpack(array, copy=True).read_only
        writable = Old(file.fileno(), 16, access=mmap.ACCESS_COPY)
        assert not tain.from_dlpack(writable).read_only


def test_an_array_without_device() -> None:
    class Half:
        def __dlpack__(self, **_: Any) -> Any:
            raise NotImplementedError

    half = Half()
    assert echo(half) is half
    with raises(TypeError, TOTAL + "Half: Half has __dlpack__ but no __dlpack_device__"):
        total(half)


def test_a_capsule_is_used_once() -> None:
    capsule = tain.tensor([1.0]).to_dlpack()
    assert tain.from_dlpack(capsule).tolist() == [1.0]
    text = "the capsule of DLPack was used already; it can be used once"
    with raises(ValueError, text):
        tain.from_dlpack(capsule)
    with raises(ValueError, text):
        total(Producer(capsule))


def test_devices_that_are_no_pairs() -> None:
    for device in (None, 5, (), ("a", "b")):
        with pytest.raises((TypeError, IndexError, RuntimeError)):
            tain.from_dlpack(Producer(None, device))


class Managed(ctypes.Structure):
    """DLManagedTensor, which a deleter in Python frees."""

    _fields_ = (
        *(("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32)),
        *(("dtype", ctypes.c_uint8 * 4), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p)),
        *(("byte_offset", ctypes.c_uint64), ("context", ctypes.c_void_p)),
        ("deleter", ctypes.c_void_p),
    )


@pytest.mark.parametrize("fails", [False, True])
def test_a_deleter_in_python_keeps_the_error_of_the_call(fails: bool) -> None:
    deleted: list[int] = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    def deleter(_: int) -> None:
        deleted.append(1)
        if fails:
            sys.unraisablehook, hook = lambda _: None, sys.unraisablehook
            hooks.append(hook)
            raise RuntimeError("in the deleter")

    hooks: list[Any] = [sys.unraisablehook]
    data, shape = (ctypes.c_double * 2)(1, 2), (ctypes.c_int64 * 1)(2)
    kind = (ctypes.c_uint8 * 4)(2, 64, 1, 0)
    managed = Managed(
        ctypes.addressof(data), (1, 0), 1, kind, ctypes.addressof(shape), None, 0, None,
        ctypes.cast(deleter, ctypes.c_void_p),
    )  # fmt: skip
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = (
        ctypes.py_object,
        [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
    )
    producer = Producer(new(ctypes.addressof(managed), b"dltensor", None))
    try:
        with pytest.raises(ZeroDivisionError):
            tain.convert(lambda _: 1 / 0)(producer)
    finally:
        sys.unraisablehook = hooks[0]
    gc.collect()
    assert deleted == [1]


@pytest.mark.parametrize("device", [("a", "b"), (2**40, 0), (1,), 5, (1, 0, 0)])
def test_devices_that_are_none(device: Any) -> None:
    text = "Producer.__dlpack_device__(): expected a tuple of the kind of a device and its number"
    with raises(TypeError, text):
        tain.from_dlpack(Producer(None, device))
