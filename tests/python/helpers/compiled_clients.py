# SPDX-License-Identifier: Apache-2.0
"""Libraries that tests compile with a plain compiler, as others distribute them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

__all__ = ["compiled"]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compile C or C++ as someone would who has neither tain nor its headers."""
    import tain_tvm_ffi

    folder = tmp_path_factory.mktemp("compiled")

    def compile(source: Path, *options: str, program: bool = False) -> Path:
        made = folder / (source.stem if program else f"lib{source.stem}.so")
        compiler = "g++" if source.suffix == ".cc" else "gcc"
        command = [compiler, "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", str(source)]
        command += [] if program else ["-shared"]
        library = tain_tvm_ffi.library_path()
        command += [*options, "-o", str(made), f"-L{library.parent}", "-ltvm_ffi"]
        subprocess.run(command, check=True)
        return made

    return compile
