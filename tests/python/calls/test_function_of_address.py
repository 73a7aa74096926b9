# SPDX-License-Identifier: Apache-2.0
"""Functions of addresses of compiled code."""

from __future__ import annotations

import ctypes
import gc
import weakref
from typing import Any

import pytest

import tain

# A value of the binary contract is two words: the type index, and an integer of it.
Words = ctypes.POINTER(ctypes.c_int64)
SafeCall = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, Words, ctypes.c_int32, Words)
PackedCall = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p))


class Engine:
    """What owns compiled code."""


def address(code: Any) -> int:
    value = ctypes.cast(code, ctypes.c_void_p).value
    assert value is not None
    return value


@SafeCall
def add(handle: Any, args: Any, count: int, result: Any) -> int:
    result[0] = 1
    result[1] = sum(args[2 * i + 1] for i in range(count))
    return 0


@PackedCall
def add_packed(slots: Any) -> None:
    args = ctypes.cast(slots[1], ctypes.POINTER(Words))[0]
    count = ctypes.cast(slots[2], ctypes.POINTER(ctypes.c_int32))[0]
    result = ctypes.cast(slots[3], ctypes.POINTER(Words))[0]
    result[0] = 1
    result[1] = sum(args[2 * i + 1] for i in range(count))


@SafeCall
def fail(handle: Any, args: Any, count: int, result: Any) -> int:
    raise_error = ctypes.CDLL(tain.libinfo.find_libtain()).TainErrorSetRaisedFromCStr
    raise_error(b"ValueError", b"it fails")
    return -1


MAKERS = {
    "__from_extern_c__": (tain.Function.__from_extern_c__, add),
    "__from_mlir_packed_safe_call__": (tain.Function.__from_mlir_packed_safe_call__, add_packed),
}


@pytest.mark.parametrize("name", MAKERS)
def test_calls(name: str) -> None:
    make, code = MAKERS[name]
    function = make(address(code))
    assert isinstance(function, tain.Function)
    assert (function(), function(1), function(*range(20))) == (0, 1, 190)


@pytest.mark.parametrize("name", MAKERS)
def test_what_owns_the_code_lives_as_long(name: str) -> None:
    make, code = MAKERS[name]
    engine = Engine()
    seen = weakref.ref(engine)
    function = make(address(code), keep_alive_object=engine)
    held = tain.List([function])  # C++ has it too
    del engine, function
    gc.collect()
    assert seen() is not None
    assert held[0](1, 2) == 3
    del held
    gc.collect()
    assert seen() is None


def test_errors_come_out() -> None:
    with pytest.raises(ValueError, match=r"\Ait fails\Z"):
        tain.Function.__from_extern_c__(address(fail))()


@pytest.mark.bad_input
@pytest.mark.parametrize("name", MAKERS)
def test_bad_addresses(name: str) -> None:
    make, _ = MAKERS[name]
    with pytest.raises(ValueError, match="expected an address, got 0"):
        make(0)
    for wrong in ("1", 1.0, None):
        with pytest.raises(TypeError):
            make(wrong)  # type: ignore[arg-type]
    for too_large in (2**64, -(2**70)):
        with pytest.raises(OverflowError):
            make(too_large)
    with pytest.raises(TypeError):
        make(1, None)  # type: ignore[misc]
