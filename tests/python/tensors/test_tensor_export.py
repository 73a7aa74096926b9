# SPDX-License-Identifier: Apache-2.0
"""What tain.Tensor offers others: DLPack, its table of C functions, the buffer protocol."""

from __future__ import annotations

import ctypes
import gc
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


@pytest.mark.parametrize("flag", [0, 0x8, 0x18, 0x38, 0x58, 0x98, 0x118, 0x1, 0x11D])
def test_buffers_by_what_is_asked_for(flag: int) -> None:
    """PyObject_GetBuffer with each kind of request, for three layouts, as for numpy's arrays."""

    def ask(source: Any) -> bool:
        room = ctypes.create_string_buffer(256)
        take = ctypes.pythonapi.PyObject_GetBuffer
        take.argtypes = [ctypes.py_object, ctypes.c_void_p, ctypes.c_int]
        release = ctypes.pythonapi.PyBuffer_Release
        release.argtypes = [ctypes.c_void_p]
        try:
            take(source, room, flag)
        except (BufferError, ValueError):
            return False
        release(room)
        return True

    for array in (np.zeros((2, 3)), np.zeros((2, 3), order="F"), np.zeros((4, 6))[::2, ::2]):
        assert ask(tain.from_dlpack(array)) == ask(array)
