# SPDX-License-Identifier: Apache-2.0
"""Paths of tain's parts, and libraries of packages."""

from __future__ import annotations

import ctypes
import os
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import tain_tvm_ffi
from tain import libinfo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .module import Module

_SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
_PREFIX = "" if sys.platform == "win32" else "lib"


def find_libtvm_ffi() -> str:
    """Return the path of the library with the C functions."""
    return str(tain_tvm_ffi.library_path())


def find_include_path() -> str:
    """Return the folder with ``tvm/ffi/tvm_ffi.h``."""
    return libinfo.compat_dir()


def find_dlpack_include_path() -> str:
    """Return the folder with ``dlpack/dlpack.h``."""
    return libinfo.compat_dir()


def include_paths() -> list[str]:
    """Return the folders of headers that a compiler needs."""
    return [libinfo.compat_dir(), libinfo.include_dir()]


def _folders(package: str, extra: Sequence[Path]) -> list[Path]:
    folders = list(extra)
    try:
        files = metadata.files(package) or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        path = Path(file.locate())
        if path.suffix in (_SUFFIX, ".so") and path.parent not in folders:
            folders.append(path.parent)
    variable = {"win32": "PATH", "darwin": "DYLD_LIBRARY_PATH"}.get(sys.platform, "LD_LIBRARY_PATH")
    folders += [Path(part) for part in os.environ.get(variable, "").split(os.pathsep) if part]
    return folders


def _find(package: str, target_name: str, extra: Sequence[Path]) -> Path:
    names = [f"{_PREFIX}{target_name}{_SUFFIX}", f"{target_name}{_SUFFIX}"]
    folders = _folders(package, extra)
    for folder in folders:
        for name in names:
            if (folder / name).is_file():
                return (folder / name).resolve()
    searched = "".join(f"\n  {folder}" for folder in folders)
    raise RuntimeError(f"Cannot find library {', '.join(names)}; searched:{searched}")


def load_lib_ctypes(
    package: str, target_name: str, mode: str, extra_lib_paths: Sequence[Path] = ()
) -> ctypes.CDLL:
    """Load a library of a package with ctypes; `mode` is ``RTLD_LOCAL`` or ``RTLD_GLOBAL``."""
    return ctypes.CDLL(str(_find(package, target_name, extra_lib_paths)), getattr(ctypes, mode))


def load_lib_module(
    package: str,
    target_name: str,
    keep_module_alive: bool = True,
    *,
    extra_lib_paths: Sequence[Path] = (),
) -> Module:
    """Load a library of a package as a module."""
    from .module import load_module

    return load_module(str(_find(package, target_name, extra_lib_paths)), keep_module_alive)
