# SPDX-License-Identifier: Apache-2.0
"""The C functions of tensors and of the environment, called through ctypes."""

from __future__ import annotations

import ctypes
import gc
import threading
from ctypes import POINTER, byref, c_char_p, c_int, c_int32, c_int64, c_uint32, c_uint64, c_void_p
from typing import Any

import pytest
from c_calls import LIB, DataType, raised
from errors import raises

import tain

CPU, EXT_DEV = 1, 12


class Device(ctypes.Structure):
    _fields_ = (("type", c_int32), ("id", c_int32))


class DLTensor(ctypes.Structure):
    _fields_ = (
        ("data", c_void_p),
        ("device", Device),
        ("ndim", c_int32),
        ("dtype", DataType),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    )


class Managed(ctypes.Structure):
    """A DLManagedTensor."""


Deleter = ctypes.CFUNCTYPE(None, c_void_p)
Managed._fields_ = (("tensor", DLTensor), ("context", c_void_p), ("deleter", Deleter))


class Versioned(ctypes.Structure):
    """A DLManagedTensorVersioned."""

    _fields_ = (
        ("major", c_uint32),
        ("minor", c_uint32),
        ("context", c_void_p),
        ("deleter", Deleter),
        ("flags", c_uint64),
        ("tensor", DLTensor),
    )


SET_ERROR = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)
ALLOCATOR = ctypes.CFUNCTYPE(c_int, POINTER(DLTensor), POINTER(c_void_p), c_void_p, SET_ERROR)
LIB.TainEnvGetStream.restype = c_void_p
LIB.TainEnvGetStream.argtypes = [c_int32, c_int32]
LIB.TainEnvSetStream.argtypes = [c_int32, c_int32, c_void_p, POINTER(c_void_p)]
LIB.TainEnvGetDLPackManagedTensorAllocator.restype = c_void_p


class Producer:
    """A DLPack tensor of three doubles, in both forms, that counts the calls of its deleter."""

    def __init__(self, **changes: Any) -> None:
        self.memory = (ctypes.c_double * 3)(1, 2, 3)
        self.shape, self.strides = (c_int64 * 3)(3, 1, 1), (c_int64 * 3)(1, 1, 1)
        self.deleted: list[int] = []
        self.deleter = Deleter(self.deleted.append)
        values: dict[str, Any] = {
            "data": ctypes.cast(self.memory, c_void_p),
            "device": Device(CPU, 0),
            "ndim": 1,
            "dtype": DataType(2, 64, 1),
            "shape": self.shape,
            "strides": self.strides,
            "byte_offset": 0,
            **changes,
        }
        tensor = DLTensor(**values)
        self.old = Managed(tensor, None, self.deleter)
        self.new = Versioned(1, 1, None, self.deleter, 0, tensor)

    def take(self, *, versioned: bool, alignment: int = 0, contiguous: int = 0) -> tuple[int, int]:
        """Return the code and the address of the Tensor."""
        out = c_void_p()
        if versioned:
            code = LIB.TainTensorFromDLPackVersioned(
                byref(self.new), alignment, contiguous, byref(out)
            )
        else:
            code = LIB.TainTensorFromDLPack(byref(self.old), alignment, contiguous, byref(out))
        return code, out.value or 0


def dltensor(address: int) -> DLTensor:
    """Return the DLTensor of a Tensor, which follows the header."""
    return DLTensor.from_address(address + 24)


def drop(address: int) -> None:
    assert LIB.TainObjectDecRef(c_void_p(address)) == 0


@pytest.mark.parametrize("versioned", [False, True])
def test_a_tensor_takes_over_what_it_is_made_of(versioned: bool) -> None:
    producer = Producer()
    code, address = producer.take(versioned=versioned)
    assert code == 0
    made = dltensor(address)
    assert (made.ndim, made.shape[0], made.strides[0]) == (1, 3, 1)
    assert made.data == ctypes.addressof(producer.memory)
    assert not producer.deleted
    drop(address)
    assert len(producer.deleted) == 1


def test_no_strides_are_those_without_gaps() -> None:
    producer = Producer(ndim=3, strides=None)
    code, address = producer.take(versioned=True)
    assert code == 0
    made = dltensor(address)
    assert made.strides[:3] == [1, 1, 1]
    assert made.shape[:3] == [3, 1, 1]
    drop(address)


def test_an_offset_is_added_to_an_address() -> None:
    producer = Producer(byte_offset=8)
    _, address = producer.take(versioned=True)
    made = dltensor(address)
    assert (made.data, made.byte_offset) == (ctypes.addressof(producer.memory) + 8, 0)
    drop(address)


def test_a_handle_keeps_its_offset() -> None:
    producer = Producer(byte_offset=8, device=Device(4, 0))  # OpenCL
    _, address = producer.take(versioned=True)
    made = dltensor(address)
    assert (made.data, made.byte_offset) == (ctypes.addressof(producer.memory), 8)
    drop(address)


def longs(*values: int) -> Any:
    return (c_int64 * len(values))(*values)


FAULTS = {
    "too many dimensions": {"ndim": 65},
    "dimensions below zero": {"ndim": -1},
    "no shape": {"shape": None},
    "an extent below zero": {"shape": longs(-1)},
    "more than memory": {"ndim": 2, "shape": longs(2**40, 2**40), "strides": None},
    "strides that overflow": {"ndim": 2, "shape": longs(3, 3), "strides": longs(2**62, 2**62)},
    "the least stride": {"shape": longs(2), "strides": longs(-(2**63))},
    "no memory": {"data": None},
    "no bits": {"dtype": DataType(2, 0, 1)},
    "no lanes": {"dtype": DataType(2, 64, 0)},
}


@pytest.mark.bad_input
@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize("changes", FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_a_tensor(changes: dict[str, Any], versioned: bool) -> None:
    producer = Producer(**changes)
    code, address = producer.take(versioned=versioned)
    assert (code, address) == (-1, 0)
    assert (raised() or "").startswith("ValueError: Tensor: ")
    assert not producer.deleted  # the caller still owns it


def test_rank_64_and_no_elements() -> None:
    producer = Producer(ndim=64, shape=longs(*[1] * 64), strides=None)
    code, address = producer.take(versioned=True)
    assert (code, dltensor(address).ndim) == (0, 64)
    drop(address)
    producer = Producer(shape=longs(0), data=None)
    code, address = producer.take(versioned=True)
    assert code == 0
    drop(address)


def test_requirements() -> None:
    producer = Producer()
    code, address = producer.take(versioned=True, alignment=8, contiguous=1)
    assert code == 0
    drop(address)
    producer = Producer(byte_offset=1)
    assert producer.take(versioned=True, alignment=8)[0] == -1
    assert (raised() or "").startswith("ValueError: Tensor: expected memory at a multiple of 8")
    producer = Producer(shape=longs(2), strides=longs(2))
    assert producer.take(versioned=False, contiguous=1)[0] == -1
    assert raised() == "ValueError: Tensor: expected a row-major tensor, got strides (2,)"


def test_versions_and_flags() -> None:
    producer = Producer()
    producer.new.major = 2
    assert producer.take(versioned=True)[0] == -1
    assert raised() == "BufferError: Tensor: expected DLPack 1, got version 2.1"
    producer = Producer()
    producer.new.flags = 4
    assert producer.take(versioned=True)[0] == -1
    assert (raised() or "").startswith("BufferError: ")
    producer = Producer()
    producer.new.flags = 1
    code, address = producer.take(versioned=True)
    assert code == 0
    out = c_void_p()
    assert LIB.TainTensorToDLPack(c_void_p(address), byref(out)) == -1
    assert (raised() or "").startswith("BufferError: a read-only tensor ")
    assert LIB.TainTensorToDLPackVersioned(c_void_p(address), byref(out)) == 0
    exported = Versioned.from_address(out.value or 0)
    assert (exported.major, exported.flags) == (1, 1)
    drop(address)
    assert not producer.deleted  # the export keeps it
    exported.deleter(out.value)
    assert len(producer.deleted) == 1


def test_a_view_keeps_its_source() -> None:
    producer = Producer()
    _, address = producer.take(versioned=True)
    prototype, out = DLTensor.from_buffer_copy(dltensor(address)), c_void_p()
    prototype.shape = longs(2)
    assert LIB.TainTensorCreateUnsafeView(c_void_p(address), byref(prototype), byref(out)) == 0
    drop(address)
    assert dltensor(out.value or 0).shape[0] == 2
    assert not producer.deleted
    drop(out.value or 0)
    assert len(producer.deleted) == 1


@pytest.mark.bad_input
def test_nulls_and_other_objects() -> None:
    array, out = tain.convert([1]), c_void_p()
    handle = c_void_p(array.__chandle__())
    for name, arguments in (
        ("TainTensorFromDLPack", (None, 0, 0, byref(out))),
        ("TainTensorFromDLPack", (byref(Producer().old), 0, 0, None)),
        ("TainTensorFromDLPackVersioned", (None, 0, 0, byref(out))),
        ("TainTensorFromDLPackVersioned", (byref(Producer().new), 0, 0, None)),
        ("TainTensorToDLPack", (None, byref(out))),
        ("TainTensorToDLPack", (handle, byref(out))),
        ("TainTensorToDLPackVersioned", (handle, byref(out))),
        ("TainTensorToDLPackVersioned", (handle, None)),
        ("TainTensorCreateUnsafeView", (None, None, byref(out))),
        ("TainTensorCreateUnsafeView", (handle, byref(DLTensor()), byref(out))),
        ("TainEnvTensorAlloc", (None, byref(out))),
        ("TainEnvTensorAlloc", (byref(DLTensor()), None)),
    ):
        assert getattr(LIB, name)(*arguments) == -1
        assert (raised() or "").startswith("TypeError: "), name


def test_streams_belong_to_a_thread_and_a_device() -> None:
    before = c_void_p()
    assert LIB.TainEnvGetStream(EXT_DEV, 0) is None
    assert LIB.TainEnvSetStream(EXT_DEV, 0, 77, byref(before)) == 0
    try:
        assert before.value is None
        assert LIB.TainEnvGetStream(EXT_DEV, 0) == 77
        assert LIB.TainEnvGetStream(EXT_DEV, 1) is None
        seen: list[Any] = []
        thread = threading.Thread(target=lambda: seen.append(LIB.TainEnvGetStream(EXT_DEV, 0)))
        thread.start()
        thread.join()
        assert seen == [None]
    finally:
        assert LIB.TainEnvSetStream(EXT_DEV, 0, None, byref(before)) == 0
    assert before.value == 77


def test_an_allocator_makes_the_tensors_of_its_device() -> None:
    producers: list[Producer] = []

    def allocate(prototype: Any, out: Any, context: Any, set_error: Any) -> int:
        if prototype.contents.shape[0] > 3:
            set_error(context, b"MemoryError", b"too big for this device")
            return -1
        producers.append(Producer(device=prototype.contents.device, shape=longs(2)))
        out[0] = ctypes.addressof(producers[-1].new)
        return 0

    allocator, before = ALLOCATOR(allocate), c_void_p()
    assert LIB.TainEnvSetDLPackManagedTensorAllocator(allocator, 0, byref(before)) == 0
    try:
        assert LIB.TainEnvGetDLPackManagedTensorAllocator() is not None
        tensor = tain.empty((2,), "float64", device="ext_dev:3")
        assert (tensor.shape, tensor.device) == ((2,), tain.ext_dev(3))
        assert repr(tensor) == "tain.Tensor(shape=(2,), dtype=float64, device=ext_dev:3)"
        assert tain.get_global_func("testing.tensor_on_device")(tensor) == 2
        with raises(MemoryError, "too big for this device"):
            tain.empty((4,), "float64", device="ext_dev")
        del tensor
        gc.collect()
        assert len(producers[0].deleted) == 1
    finally:
        LIB.TainEnvSetDLPackManagedTensorAllocator(ALLOCATOR(), 0, None)
    assert LIB.TainEnvGetDLPackManagedTensorAllocator() is None


class FakeDevice:
    """An array on a device that does not exist, which records what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.kept: list[Producer] = []

    def __dlpack_device__(self) -> tuple[int, int]:
        return EXT_DEV, 2

    def __dlpack__(self, **keywords: Any) -> Any:
        self.asked.append(keywords)
        producer = Producer(device=Device(EXT_DEV, 2))
        self.kept.append(producer)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [c_void_p, c_char_p, c_void_p]
        return make(ctypes.addressof(producer.new), b"dltensor_versioned", None)


def test_an_array_on_a_device_is_asked_with_the_stream() -> None:
    array = FakeDevice()
    on_device = tain.get_global_func("testing.tensor_on_device")
    assert on_device(array) == 3
    assert array.asked == [{"max_version": (1, 1), "stream": None}]
    LIB.TainEnvSetStream(EXT_DEV, 2, 55, None)
    try:
        assert on_device(array) == 3
        assert array.asked[-1] == {"max_version": (1, 1), "stream": 55}
        assert tain.get_global_func("testing.tensor_stream")(tain.ext_dev(2)) == 55
    finally:
        LIB.TainEnvSetStream(EXT_DEV, 2, None, None)
    made = tain.from_dlpack(array, device=(EXT_DEV, 2), copy=False)
    asked = {"max_version": (1, 1), "dl_device": (EXT_DEV, 2), "copy": False, "stream": None}
    assert array.asked[-1] == asked
    assert made.device == tain.ext_dev(2)
    del made
    gc.collect()
    assert [len(producer.deleted) for producer in array.kept] == [1, 1, 1]


def test_the_processor_does_not_read_the_memory_of_a_device() -> None:
    array = FakeDevice()
    tensor = tain.from_dlpack(array)
    for use in (tensor.numpy, tensor.tolist, tensor.item, tensor.__copy__):
        with pytest.raises((RuntimeError, ValueError)):
            use()
    with pytest.raises(BufferError):
        memoryview(tensor)
    with pytest.raises((RuntimeError, ValueError)):
        tensor[0] = 1
    text = (
        "testing.tensor_sum: argument x: expected Tensor of float64 with 1 dimension in the memory "
        "of the processor, got Tensor (float64, shape (3,), ext_dev:2)"
    )
    with raises(TypeError, text):
        tain.get_global_func("testing.tensor_sum")(tensor)
    assert tensor.__dlpack_device__() == (EXT_DEV, 2)
    assert tensor[1:].shape == (2,)
    del tensor, use
    gc.collect()
    assert len(array.kept[0].deleted) == 1
