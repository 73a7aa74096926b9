# SPDX-License-Identifier: Apache-2.0
"""libtain through ctypes: the structures of c_api.h and what its tests share."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from ctypes import POINTER, byref, c_char_p, c_int, c_int32, c_size_t, c_uint32, c_void_p

from tain import libinfo

LIB = ctypes.CDLL(libinfo.find_libtain())

NONE, INT, FLOAT, OPAQUE = 0, 1, 3, 4
RAW_STR, BYTE_ARRAY, SMALL_STR, SMALL_BYTES = 8, 9, 11, 12
OBJECT, STR, BYTES, ERROR, FUNCTION, BIG_INT = 64, 65, 66, 67, 68, 78


class Value(ctypes.Structure):
    """A TainAny."""

    _fields_ = [("type_index", c_int32), ("small_len", c_uint32), ("payload", ctypes.c_uint64)]

    def text(self) -> bytes:
        """Return the bytes of a string or of bytes, small or not."""
        if self.type_index in (SMALL_STR, SMALL_BYTES):
            return self.payload.to_bytes(8, "little")[: self.small_len]
        assert self.type_index in (STR, BYTES)
        data, size = cell(self.payload, 2)
        return ctypes.string_at(data, size)


class Text(ctypes.Structure):
    """A TainByteArray."""

    _fields_ = [("data", c_char_p), ("size", c_size_t)]


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Allocator(ctypes.Structure):
    """A TainCustomAllocator."""

    _fields_ = [("allocate", c_void_p), ("context", c_void_p)]


SAFE_CALL = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Value), c_int32, POINTER(Value))
DELETER = ctypes.CFUNCTYPE(None, c_void_p)
INIT_ONCE = ctypes.CFUNCTYPE(c_int, POINTER(c_void_p))
DEINIT_ONCE = ctypes.CFUNCTYPE(c_int, c_void_p)


def text(content: bytes) -> Text:
    return Text(content, len(content))


def cell(address: int, words: int) -> list[int]:
    """Return words of what follows an object's header."""
    return list((ctypes.c_uint64 * words).from_address(address + 24))


def strong_count(address: int) -> int:
    return c_uint32.from_address(address).value


@contextlib.contextmanager
def owned(address: int | None) -> Iterator[int]:
    """Drop a reference at the end."""
    assert address
    yield address
    assert LIB.TainObjectDecRef(c_void_p(address)) == 0


def release(value: Value) -> None:
    if value.type_index >= OBJECT:
        assert LIB.TainObjectDecRef(c_void_p(value.payload)) == 0


def raised() -> str | None:
    """Take the raised error of this thread as `kind: message`."""
    error = c_void_p(0xBAD)
    LIB.TainErrorMoveFromRaised(byref(error))
    if not error.value:
        return None
    with owned(error.value) as address:
        kind, kind_size, message, message_size = cell(address, 4)
        return f"{string(kind, kind_size)}: {string(message, message_size)}"


def string(data: int, size: int) -> str:
    return ctypes.string_at(data, size).decode() if size else ""


def make_error(kind: bytes = b"ValueError", message: bytes = b"a message") -> int:
    out = c_void_p()
    assert (
        LIB.TainErrorCreate(byref(text(kind)), byref(text(message)), byref(text(b"")), byref(out))
        == 0
    )
    assert out.value
    return out.value


def global_function(name: bytes) -> int:
    out = c_void_p()
    assert LIB.TainFunctionGetGlobal(byref(text(name)), byref(out)) == 0
    assert out.value
    return out.value


@SAFE_CALL
def answer(_: int, args: object, num_args: int, result: ctypes._Pointer) -> int:
    """Return 42 whatever it gets."""
    result[0] = Value(INT, 0, 42)
    return 0


def constant_function() -> int:
    out = c_void_p()
    assert LIB.TainFunctionCreate(None, answer, None, byref(out)) == 0
    assert out.value
    return out.value


def request(key: bytes, static: int = -1, depth: int = 1, parent: int = OBJECT) -> int:
    """Return the index of a type, which is allocated unless the parent is -2."""
    return LIB.TainTypeGetOrAllocIndex(byref(text(key)), static, depth, 0, 1, parent)
