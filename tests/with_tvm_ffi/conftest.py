# SPDX-License-Identifier: Apache-2.0
"""Tests of tain_tvm_ffi: the library with the names of the ecosystem, and the package `tvm_ffi`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import tain_tvm_ffi

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compile C or C++ as someone would who has neither tain nor its headers."""
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


@pytest.fixture
def run() -> Callable[..., str]:
    """Run Python with the package `tvm_ffi` on its path, and return what it prints."""

    def run(*arguments: str, **environment: str) -> str:
        command = [sys.executable, "-m", "tain_tvm_ffi", "run", *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
