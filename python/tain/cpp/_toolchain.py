# SPDX-License-Identifier: Apache-2.0
"""Finds the compilers of C++ and C; the options that compile and link a library of types."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from typing import NamedTuple

from tain import libinfo
from tain.cpp import _facts

__all__ = [
    "Toolchain",
    "compile_options",
    "find_c_compiler",
    "find_toolchain",
    "hidden_options",
    "link_options",
    "probe",
]

_CXX = ("c++", "g++", "clang++")
_CC = ("cc", "gcc", "clang")
_PROBE_SECONDS = 60
_COMPILER = re.compile(r"(.+-)?(gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(-[\d.]+)?")


class Toolchain(NamedTuple):
    """A compiler. That of C++ also links."""

    command: tuple[str, ...]  # the program, and arguments that precede the options
    version: str  # the output of --version

    @property
    def is_gcc(self) -> bool:
        """Whether the compiler is GCC, and so has options that only GCC has."""
        return "Free Software Foundation" in self.version


def find_toolchain() -> Toolchain:
    """Return the compiler that ``CXX`` names, else the C++ compiler of the system.

    Raises
    ------
    RuntimeError
        No compiler is found.
    """
    return _find("CXX", os.environ.get("CXX", ""), _CXX, os.environ.get("PATH", ""))


def find_c_compiler() -> Toolchain:
    """Return the compiler that ``CC`` names, else the C compiler of the system.

    Raises
    ------
    RuntimeError
        No compiler is found.
    """
    return _find("CC", os.environ.get("CC", ""), _CC, os.environ.get("PATH", ""))


def _find(variable: str, chosen: str, known: tuple[str, ...], path: str) -> Toolchain:
    try:
        words = shlex.split(chosen)
    except ValueError as error:
        raise RuntimeError(
            f"tain.cpp: expected a command in {variable}, got {chosen!r}: {error}"
        ) from None
    for command in [words] if words else [[name] for name in known]:
        program = shutil.which(command[0], path=path)
        if program is not None:
            return probe((program, *command[1:]))
    tried = f"the compiler {chosen!r} that {variable} names" if words else " or ".join(known)
    language, package = ("C++20", "g++") if variable == "CXX" else ("C", "gcc")
    raise RuntimeError(
        f"tain.cpp: cannot find {tried} on PATH: install a {language} compiler (on Debian: apt "
        f"install {package}), or set {variable} to one"
    )


def probe(command: tuple[str, ...]) -> Toolchain:
    """Return a compiler together with its version.

    Raises
    ------
    RuntimeError
        The compiler does not run.
    """
    program = os.path.realpath(command[0])
    if len(command) > 1 or not _is_compiler(program):
        return Toolchain(command, _version(command))
    name = f"the version of {command[0]}"
    version = _facts.find(name, [_facts.state_of(program)], lambda: _version(command))
    return Toolchain(command, version)


def _is_compiler(program: str) -> bool:
    """Return whether a program is a compiler itself, and no script or launcher that starts one.

    What scripts, launchers such as ccache, and Apple's programs start can change without them.
    """
    if not _COMPILER.fullmatch(os.path.basename(program)):
        return False
    try:
        with open(program, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False


@cache
def _version(command: tuple[str, ...]) -> str:
    try:
        result = subprocess.run(
            [*command, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=_PROBE_SECONDS,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise RuntimeError(f"tain.cpp: the compiler does not run: {error}") from None
    return result.stdout.decode(errors="replace")


def hidden_options(toolchain: Toolchain) -> list[str]:
    """Return the options by which builds share no variables, such as those of type indices."""
    return [*libinfo.HIDDEN, *(["-fno-gnu-unique"] if toolchain.is_gcc else [])]


def compile_options(toolchain: Toolchain, language: str) -> list[str]:
    """Return the options that compile a source of C++ ("c++") or C ("c")."""
    common = ["-O2", "-fPIC", "-pipe", "-isystem", libinfo.include_dir()]
    if language == "c":
        # Its functions are exported by name, so they stay visible.
        return common
    return [
        "-std=c++20",
        *common,
        *hidden_options(toolchain),
        # After the folders of `extra_include_paths`, so that they can have the original headers.
        "-isystem",
        libinfo.compat_dir(),
    ]


def link_options() -> list[str]:
    """Return the options that link a library; they follow the object files."""
    # A missing symbol is then an error of the linker, which names the object file that needs it.
    complete = ["-Wl,--no-undefined"] if sys.platform.startswith("linux") else []
    return ["-shared", *complete, *libinfo.libs()]
