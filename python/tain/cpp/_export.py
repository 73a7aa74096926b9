# SPDX-License-Identifier: Apache-2.0
"""Compiles a library that contains a module and all its imports."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tain import _core
from tain._checks import path_of
from tain.cpp import build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tain._values import Module

__all__ = ["export_library"]

# The assembler copies the bytes from a file, which takes no time, unlike a list of numbers.
_SOURCE = r"""
__asm__(
    ".section .rodata\n"
    ".globl __tvm_ffi__library_bin\n"
    ".type __tvm_ffi__library_bin, %object\n"
    ".balign 16\n"
    "__tvm_ffi__library_bin:\n"
    ".incbin \"modules.bin\"\n"
    ".size __tvm_ffi__library_bin, .-__tvm_ffi__library_bin\n"
    ".section .note.GNU-stack,\"\",%progbits\n");
"""


def export_library(module: Module, file: str | os.PathLike[str]) -> None:
    """Write a library from which `tain.load_module` makes the module again.

    Parameters
    ----------
    module : Module
        The module. It and all its imports must be of kinds that can be saved to bytes.
    file : str or os.PathLike
        The path of the library.
    """
    file = path_of("export_library: argument file", file)
    saved: bytes = _core.get_global_func("ffi.ModuleSaveTree")(module)
    with tempfile.TemporaryDirectory(prefix="tain-export-") as folder:
        Path(folder, "modules.bin").write_bytes(saved)
        source = Path(folder, "modules.c")
        source.write_text(_SOURCE, encoding="ascii")
        built = build(
            "exported",
            sources=[source],
            extra_cflags=["-Xassembler", f"-I{folder}"],
            build_directory=Path(folder, "build"),
        )
        # A library that is loaded from this path keeps its own file.
        _core.replace_file(os.fsencode(file), Path(built).read_bytes(), "export_library")
