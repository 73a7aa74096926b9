# SPDX-License-Identifier: Apache-2.0
"""What tain.Tensor offers others: DLPack, its table of C functions, the buffer protocol."""

from __future__ import annotations

import ctypes
import gc
import hashlib
import io
import zlib
from typing import Any

import numpy as np
import pytest
from errors import raises

import tain

TENSOR = tain.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def test_the_device() -> None:
    assert TENSOR.__dlpack_device__() == (1, 0)


def test_both_forms() -> None:
    assert '"dltensor"' in repr(TENSOR.__dlpack__())
    assert '"dltensor"' in repr(TENSOR.__dlpack__(max_version=(0, 8)))
    assert '"dltensor_versioned"' in repr(TENSOR.__dlpack__(max_version=(1, 0)))
    for version in (None, (0, 8), (1, 0), (2, 0)):
        made = tain.from_dlpack(TENSOR.__dlpack__(max_version=version))
        assert made.tolist() == TENSOR.tolist()


def test_a_copy() -> None:
    shared = tain.from_dlpack(TENSOR.__dlpack__(max_version=(1, 0)))
    copied = tain.from_dlpack(TENSOR.__dlpack__(max_version=(1, 0), copy=True))
    assert np.shares_memory(shared.numpy(), TENSOR.numpy())
    assert not np.shares_memory(copied.numpy(), TENSOR.numpy())
    assert tain.from_dlpack(TENSOR, copy=True).tolist() == TENSOR.tolist()
    for copy in (1, np.True_, "no"):
        with pytest.raises(TypeError, match="argument copy: expected bool or None, got"):
            TENSOR.__dlpack__(copy=copy)


def test_the_errors_of_the_array_api() -> None:
    with raises(
        BufferError,
        "Tensor.__dlpack__(): argument dl_device: the tensor cannot be exported to another device "
        "than its own",
    ):
        TENSOR.__dlpack__(dl_device=(2, 0))
    with raises(
        ValueError,
        "Tensor.__dlpack__(): argument stream: expected None for a tensor in the memory of the "
        "processor",
    ):
        TENSOR.__dlpack__(stream=1)
    with raises(TypeError, "Tensor.__dlpack__(): unexpected keyword argument 'other'"):
        TENSOR.__dlpack__(other=1)  # type: ignore[call-arg]
    with raises(TypeError, "Tensor.__dlpack__(): all arguments are keywords"):
        TENSOR.__dlpack__(1)  # type: ignore[misc]
    with raises(
        TypeError,
        "Tensor.__dlpack__(): argument max_version: expected a pair of ints, got int",
    ):
        TENSOR.__dlpack__(max_version=1)  # type: ignore[arg-type]
    with pytest.raises((TypeError, OverflowError)):
        TENSOR.__dlpack__(max_version=("a", 2**70))  # type: ignore[arg-type]


def test_a_read_only_tensor_has_the_new_form_only() -> None:
    array = np.zeros(3)
    array.flags.writeable = False
    tensor = tain.from_dlpack(array)
    assert tensor.read_only
    assert not tensor.numpy().flags.writeable
    with raises(
        BufferError,
        "a read-only tensor cannot be passed in the form before DLPack 1.0: ask for "
        "max_version=(1, 0)",
    ):
        tensor.to_dlpack()
    assert tain.from_dlpack(tensor).read_only


def test_a_capsule_that_nobody_takes() -> None:
    tensor = tain.tensor([1.0])
    for _ in range(3):
        tensor.__dlpack__()
        tensor.__dlpack__(max_version=(1, 0))
        tensor.to_dlpack()
    gc.collect()
    assert tain.testing.object_use_count(tensor) == 1


class Header(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", ctypes.c_void_p),
    )


def test_the_table_of_c_functions() -> None:
    capsule = tain.Tensor.__dlpack_c_exchange_api__  # type: ignore[attr-defined]
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = get(capsule, b"dlpack_exchange_api")
    header = Header.from_address(address)
    assert (header.major, header.previous) == (1, None)
    functions = (ctypes.c_void_p * 5).from_address(address + ctypes.sizeof(Header))
    export = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))(
        functions[1] or 0
    )
    take = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.py_object))(
        functions[2] or 0
    )
    managed, made = ctypes.c_void_p(), ctypes.py_object()
    assert export(TENSOR, ctypes.byref(managed)) == 0
    assert take(managed, ctypes.byref(made)) == 0
    assert made.value.tolist() == TENSOR.tolist()
    ctypes.pythonapi.Py_DecRef(made)
    with pytest.raises(TypeError):
        export(5, ctypes.byref(managed))


def test_buffers() -> None:
    view = memoryview(TENSOR)  # type: ignore[arg-type]
    assert (view.format, view.shape, view.strides, view.readonly) == ("d", (2, 3), (24, 8), False)
    assert view.tolist() == TENSOR.tolist()
    assert memoryview(TENSOR.T).strides == (8, 24)  # type: ignore[arg-type]
    assert bytes(tain.tensor([1, 2], dtype="uint8")) == b"\1\2"  # type: ignore[call-overload]
    with pytest.raises(BufferError):
        memoryview(tain.empty(1, "bfloat16"))  # type: ignore[arg-type]


def test_the_bytes_of_a_tensor() -> None:
    array = np.arange(6.0).reshape(2, 3)
    tensor = tain.tensor(array)
    digest = hashlib.sha256(array.tobytes()).digest()
    assert hashlib.sha256(tensor).digest() == digest  # type: ignore[arg-type]
    assert hashlib.sha256(tain.tensor(5.0)).digest()  # type: ignore[arg-type]
    assert zlib.crc32(tensor) == zlib.crc32(array.tobytes())  # type: ignore[arg-type]
    assert io.BytesIO(tensor).read() == array.tobytes()  # type: ignore[arg-type]
    with pytest.raises(BufferError):
        hashlib.sha256(tensor.T)
    halves = tain.empty(4, "bfloat16")  # has no format, and bytes all the same
    assert len(hashlib.sha256(halves).digest()) == 32  # type: ignore[arg-type]


class Buffer(ctypes.Structure):
    """Py_buffer."""

    _fields_ = (
        *(("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t)),
        *(("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int)),
        *(("format", ctypes.c_char_p), ("shape", ctypes.POINTER(ctypes.c_ssize_t))),
        ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        *(("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p)),
    )


def asked(source: Any, flags: int) -> dict[str, Any] | None:
    """What PyObject_GetBuffer gives; None if it refuses."""
    view = Buffer()
    take, release = ctypes.pythonapi.PyObject_GetBuffer, ctypes.pythonapi.PyBuffer_Release
    take.argtypes = [ctypes.py_object, ctypes.c_void_p, ctypes.c_int]
    release.argtypes = [ctypes.c_void_p]
    try:
        take(source, ctypes.byref(view), flags)
    except (BufferError, ValueError):
        return None
    names = ("buf", "len", "itemsize", "readonly", "ndim", "format", "suboffsets")
    found = {name: getattr(view, name) for name in names}
    for name in ("shape", "strides"):
        numbers = getattr(view, name)
        found[name] = numbers[: view.ndim] if numbers else None
    release(ctypes.byref(view))
    return found


WRITABLE, FORMAT, ND = 1, 4, 8
ORDERS = (0, ND, 0x18, 0x38, 0x58, 0x98, 0x118)  # none, strides, C, F, any order, suboffsets
LAYOUTS: dict[str, Any] = {
    "row-major": np.zeros((2, 3)),
    "column-major": np.zeros((2, 3), order="F"),
    "with gaps": np.zeros((4, 6))[::2, ::2],
    "backwards": np.zeros(5)[::-1],
    "a row": np.zeros(5),
    "a row with gaps": np.zeros(6, "i2")[::2],
    "no dimensions": np.zeros(()),
    "empty": np.zeros(0),
    "empty with extents": np.zeros((3, 0, 2)),
    "empty with gaps": np.zeros((3, 4))[::2, :0],
    "extents of one": np.zeros((1, 3, 1))[:, ::2],
    "one element of many": np.zeros((4, 4))[1:2, 2:3],
    "column-major, three": np.zeros((2, 3, 4), order="F"),
    "exchanged": np.zeros((2, 3, 4)).transpose(1, 0, 2),
    "bytes": np.zeros((2, 3), "u1"),
    "bools": np.zeros((2, 3), "?"),
    "complex": np.zeros((2, 3), "c16"),
}


FLAGS = [order | more for order in ORDERS for more in (0, WRITABLE, FORMAT, WRITABLE | FORMAT)]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_buffer_is_what_was_asked_for(layout: str) -> None:
    """As numpy's arrays on the same memory, read-only ones too, and bytes where no shape is."""
    for writable in (True, False):
        array = LAYOUTS[layout].view()
        array.flags.writeable = writable
        tensor = tain.from_dlpack(array)
        for flags in FLAGS:
            expected = asked(array, flags)
            if expected is not None and flags & ND == 0:
                expected["ndim"] = 1
                if flags & FORMAT and expected["format"] != b"B":
                    expected = None
            assert asked(tensor, flags) == expected, flags


@pytest.mark.parametrize("size", [1, 2, 5])
def test_the_buffer_of_an_array_is_what_was_asked_for(size: int) -> None:
    array = tain.Array(range(size))
    strided = np.zeros(2 * size, "q")[::2]
    strided.flags.writeable = False
    for flags in FLAGS:
        found, expected = asked(array, flags), asked(strided, flags)
        if expected is not None and flags & ND == 0:
            expected = None if flags & FORMAT else {**expected, "ndim": 1}
        for side in (found, expected):
            if side is not None:
                del side["buf"]
                side["format"] = {b"l": b"q"}.get(side["format"], side["format"])
                if size == 1:
                    del side["strides"]
        assert found == expected, flags
