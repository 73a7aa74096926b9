# SPDX-License-Identifier: Apache-2.0
"""Returns where the headers and the library are, for C++ libraries that add passes.

The functions are those of `tain.libinfo`: a compiler needs what they return of tain, too, and
`tain.cpp` gives it that by itself.
"""

from __future__ import annotations

import os

import tain.libinfo

__all__ = ["include_dir", "lib_dir", "ldflags", "libs"]


def include_dir() -> str:
    """Return the folder that contains ``tensorexpr.h``."""
    # In an editable install, the headers are where they are edited, as the Python files are.
    package = os.path.dirname(os.path.abspath(__file__))
    source = os.path.join(os.path.dirname(os.path.dirname(package)), "src")
    if os.path.isfile(os.path.join(source, "tensorexpr.h")):
        return source
    return os.path.join(lib_dir(), "include")


def lib_dir() -> str:
    """Return the folder of libtensorexpr."""
    return os.path.dirname(tain.libinfo.find_lib_path("tensorexpr"))


def ldflags() -> list[str]:
    """Return the linker options that say where libtensorexpr is."""
    folder = lib_dir()
    return [f"-L{folder}", "-Xlinker", "-rpath", "-Xlinker", folder]


def libs() -> list[str]:
    """Return the linker options that link libtensorexpr: those of `ldflags`, and the library."""
    return [*ldflags(), "-ltensorexpr"]
