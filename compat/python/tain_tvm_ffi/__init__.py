# SPDX-License-Identifier: Apache-2.0
"""Lets what others compiled for TVM FFI run on tain.

`load` brings the library that has the names of that ecosystem's binary interface, and
`provided_dir` is the folder of a package `tvm_ffi` that is tain under its names. The command
``python -m tain_tvm_ffi run`` runs a program with both.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import tain

#: The version of apache-tvm-ffi whose names the package has.
STANDS_FOR = "0.1.15"
__all__ = ["STANDS_FOR", "load", "library_path", "provided_dir"]

_LIBRARY_NAME = {"win32": "tvm_ffi.dll", "darwin": "libtvm_ffi.dylib"}.get(
    sys.platform, "libtvm_ffi.so"
)
# Defined by the library alone; libtain looks for it, too.
_MARK = "TainForwardsTVMFFI"
_loaded: ctypes.CDLL | None = None


def library_path() -> Path:
    """Return the path of the library with the names of the binary interface."""
    return Path(__file__).parent / "lib" / _LIBRARY_NAME


def provided_dir() -> Path:
    """Return the folder that contains the package `tvm_ffi`."""
    return Path(__file__).parent / "provided"


def load() -> ctypes.CDLL:
    """Load the library with the names of the binary interface, once in a process.

    Raises
    ------
    ImportError
        Another library of the process has these names already. Functions and objects of two
        runtimes cannot be exchanged, so there is one in a process.
    """
    global _loaded
    if _loaded is not None:
        return _loaded
    path = str(library_path())
    known = tain._core.list_definitions("TVMFFIGetVersion")
    if known:
        own = tain._core.list_definitions(_MARK)
        if known != own or len(own) != 1:
            raise ImportError(
                f"cannot load {path}: {' and '.join(known)}, already in this process, "
                "is another runtime of the same binary interface; a process can have one"
            )
        path = own[0]  # a library that was linked with it has loaded it
    _loaded = ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
    return _loaded
