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

import tain
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


def find_windows_implib() -> str:
    """Return the path of the import library."""
    return str(tain_tvm_ffi.library_path().with_suffix(".lib"))


def find_cmake_path() -> str:
    """Return the folder with the CMake package."""
    return _existing(Path(find_libtvm_ffi()).parent / "cmake" / "tvm_ffi", "CMake package")


def find_source_path() -> str:
    """Return the folder above the headers; tain's sources are not installed."""
    return str(Path(libinfo.include_dir()).parent)


def find_cython_lib() -> str:
    """Return the path of the extension module, tain's."""
    return str(Path(tain._core.__file__).resolve())


def find_python_helper_include_path() -> str:
    """Return the folder with the header for extension modules."""
    folder = Path(libinfo.compat_dir())
    _existing(folder / "tvm_ffi_python_helpers.h", "header for extension modules")
    return str(folder)


def _existing(path: Path, what: str) -> str:
    if not path.exists():
        raise RuntimeError(f"Cannot find the {what}: there is no {path}")
    return str(path)


def _folders(package: str, extra: Sequence[Path]) -> list[Path]:
    folders = list(extra)
    try:
        files = metadata.files(package) or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        path = Path(str(file.locate()))
        if path.suffix in (_SUFFIX, ".so") and path.parent not in folders:
            folders.append(path.parent)
    folders.append(tain_tvm_ffi.library_path().parent)
    names = {"win32": ["PATH"], "darwin": ["DYLD_LIBRARY_PATH", "PATH"]}
    for variable in names.get(sys.platform, ["LD_LIBRARY_PATH", "PATH"]):
        folders += [Path(part) for part in os.environ.get(variable, "").split(os.pathsep) if part]
    return folders


def _find_library_by_basename(
    package: str, target_name: str, extra_lib_paths: Sequence[Path] | None = None
) -> Path:
    """Return the path of a library of a package, or one in a folder where libraries are."""
    for place, path in enumerate(extra_lib_paths or ()):
        if not isinstance(path, Path):
            raise TypeError(
                f"extra_lib_paths[{place}] must be a pathlib.Path, got {type(path).__name__}"
            )
    names = [f"{_PREFIX}{target_name}{_SUFFIX}", f"{target_name}{_SUFFIX}"]
    folders = _folders(package, extra_lib_paths or ())
    for folder in folders:
        for name in names:
            if (folder / name).is_file():
                return (folder / name).resolve()
    searched = "".join(f"\n  {folder}" for folder in folders)
    raise RuntimeError(f"Cannot find library {', '.join(names)}; searched:{searched}")


def load_lib_ctypes(
    package: str, target_name: str, mode: str, extra_lib_paths: Sequence[Path] | None = None
) -> ctypes.CDLL:
    """Load a library of a package with ctypes; `mode` is ``RTLD_LOCAL`` or ``RTLD_GLOBAL``."""
    return ctypes.CDLL(
        str(_find_library_by_basename(package, target_name, extra_lib_paths)), getattr(ctypes, mode)
    )


def load_lib_module(
    package: str,
    target_name: str,
    keep_module_alive: bool = True,
    extra_lib_paths: Sequence[Path] | None = None,
) -> Module:
    """Load a library of a package as a module."""
    from .module import load_module

    return load_module(
        str(_find_library_by_basename(package, target_name, extra_lib_paths)), keep_module_alive
    )
