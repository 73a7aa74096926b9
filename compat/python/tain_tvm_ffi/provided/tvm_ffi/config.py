# SPDX-License-Identifier: Apache-2.0
"""The command ``python -m tvm_ffi.config``: flags for compilers and linkers."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tvm_ffi import libinfo


def _library_folder() -> str:
    return str(Path(libinfo.find_libtvm_ffi()).parent)


def _include_flags() -> str:
    return f"-I{libinfo.find_include_path()} -I{libinfo.find_dlpack_include_path()}"


def _on_windows() -> bool:
    return sys.platform == "win32"


_ANSWERS = {
    "includedir": libinfo.find_include_path,
    "dlpack-includedir": libinfo.find_dlpack_include_path,
    "cmakedir": libinfo.find_cmake_path,
    "sourcedir": libinfo.find_source_path,
    "libfiles": lambda: (
        libinfo.find_windows_implib if _on_windows() else libinfo.find_libtvm_ffi
    )(),
    "libdir": _library_folder,
    "libs": lambda: libinfo.find_windows_implib() if _on_windows() else "-ltvm_ffi",
    "cython-lib-path": libinfo.find_cython_lib,
    "cxxflags": lambda: f"{_include_flags()} -std=c++17",
    "cflags": _include_flags,
    "ldflags": lambda: "" if _on_windows() else f"-L{_library_folder()}",
}


def main() -> None:
    """Print what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in _ANSWERS:
        parser.add_argument(f"--{name}", action="store_true")
    asked = vars(parser.parse_args())
    for name, answer in _ANSWERS.items():
        if asked[name.replace("-", "_")]:
            print(answer())
    if len(sys.argv) == 1:
        parser.print_help()


if __name__ == "__main__":
    main()
