# SPDX-License-Identifier: Apache-2.0
"""Finds the compiler; the options that compile and link a library of registered types."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from functools import cache
from typing import NamedTuple

from tain import libinfo

__all__ = ["Toolchain", "compile_options", "find_toolchain", "library_name", "link_options"]

_COMPILERS = ("c++", "g++", "clang++")


class Toolchain(NamedTuple):
    """A C++ compiler that also links."""

    command: tuple[str, ...]  # the program, and arguments that precede the options
    version: str  # the output of --version

    @property
    def is_gcc(self) -> bool:
        """Whether the compiler is GCC, and so has options that only GCC has."""
        return "Free Software Foundation" in self.version


def find_toolchain() -> Toolchain:
    """Return the compiler that ``CXX`` names, else the compiler of the system.

    Raises
    ------
    RuntimeError
        No compiler is found.
    """
    return _probe(os.environ.get("CXX", ""), os.environ.get("PATH", ""))


@cache
def _probe(chosen: str, path: str) -> Toolchain:
    for words in [shlex.split(chosen)] if chosen.strip() else [[name] for name in _COMPILERS]:
        program = shutil.which(words[0], path=path)
        if program is not None:
            command = (program, *words[1:])
            result = subprocess.run(
                [*command, "--version"], capture_output=True, text=True, check=False
            )
            return Toolchain(command, result.stdout)
    tried = f"the compiler {chosen!r} that CXX names" if chosen else " or ".join(_COMPILERS)
    raise RuntimeError(
        f"tain.cpp: cannot find {tried} on PATH: install a C++20 compiler (on Debian: apt install "
        "g++), or set CXX to one"
    )


def compile_options(toolchain: Toolchain, unit: str) -> list[str]:
    """Return the options that compile a source of the unit with the given name."""
    return [
        "-std=c++20",
        "-O2",
        "-fPIC",
        # Two builds of a library must not share the variables that hold their type indices.
        "-fvisibility=hidden",
        "-fvisibility-inlines-hidden",
        *(["-fno-gnu-unique"] if toolchain.is_gcc else []),
        f'-DTAIN_UNIT_NAME="{unit}"',
        "-isystem",
        libinfo.include_dir(),
        # After the folders of `extra_include_paths`, so that they can have the original headers.
        "-isystem",
        libinfo.compat_dir(),
    ]


def link_options() -> list[str]:
    """Return the options that link a library; they follow the object files."""
    # A missing symbol is then an error of the linker, which names the object file that needs it.
    complete = ["-Wl,--no-undefined"] if sys.platform.startswith("linux") else []
    return ["-shared", *complete, *libinfo.ldflags()]


def library_name(name: str) -> str:
    """Return the file name of a library."""
    return {"win32": f"{name}.dll", "darwin": f"lib{name}.dylib"}.get(sys.platform, f"lib{name}.so")
