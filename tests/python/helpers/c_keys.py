# SPDX-License-Identifier: Apache-2.0
"""Keys registered through libtain's C functions, as by a library without tain's headers."""

from __future__ import annotations

import ctypes

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
