# SPDX-License-Identifier: Apache-2.0
"""Types and functions registered through libtain's C functions, as without tain's headers."""

from __future__ import annotations

import ctypes

import tain
from tain import libinfo


class _Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


def register_key(key: str, parent: int = 64, depth: int = 1) -> int:
    """Register a type without members under a key, for ever; return its index."""
    library = ctypes.CDLL(libinfo.find_libtain())
    text = key.encode()
    request = ctypes.byref(_Bytes(text, len(text)))
    index: int = library.TainTypeGetOrAllocIndex(request, -1, depth, 0, 1, parent)
    return index


def set_function(name: str, function: object) -> None:
    """Set a global function as C++ code does, of which the bridge is not told."""
    library = ctypes.CDLL(libinfo.find_libtain())
    source, target = f"{name}_source".encode(), name.encode()
    tain.register_global_func(source.decode(), function, override=True)
    found = ctypes.c_void_p()
    request = ctypes.byref(_Bytes(source, len(source)))
    assert library.TainFunctionGetGlobal(request, ctypes.byref(found)) == 0
    tain.remove_global_func(source.decode())
    assert library.TainFunctionSetGlobal(ctypes.byref(_Bytes(target, len(target))), found, 1) == 0
    library.TainObjectDecRef(found)
