# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run whose compiler has no reflection: gcc 16, -freflection.

They need no other build of tain than the one that is installed. The test of Asio also needs
Debian's package libasio-dev.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tain import libinfo

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CXX = os.environ.get("CXX", "g++")
REFLECTED = ("-std=c++26", "-freflection")


def has_reflection() -> bool:
    """Whether the compiler knows the options."""
    if shutil.which(CXX) is None:
        return False
    command = [CXX, *REFLECTED, "-fsyntax-only", "-x", "c++", os.devnull]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


collect_ignore_glob = [] if has_reflection() else ["test_*.py"]

Compile = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def compile_cpp() -> Compile:
    """Return a function that compiles a source, with the options of tain_add_library."""

    def run(source: Path, output: Path | None, *flags: str) -> subprocess.CompletedProcess[str]:
        command = [CXX, "-O1", "-Wall", "-Wextra", "-fdiagnostics-color=never"]
        command += ["-fPIC", "-shared", "-fvisibility=hidden", "-fvisibility-inlines-hidden"]
        command += ["-fno-gnu-unique", f'-DTAIN_UNIT_NAME="{source.stem}"']
        command += [f"-I{libinfo.include_dir()}", *(flags or REFLECTED), str(source)]
        library = Path(libinfo.find_libtain())
        command += ["-fsyntax-only"] if output is None else ["-o", str(output), str(library)]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=source.parent
        )

    return run


@pytest.fixture(scope="session")
def library(compile_cpp: Compile, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return a function that compiles a source of this folder, without a warning, once."""
    folder = tmp_path_factory.mktemp("reflected")
    known: dict[tuple[str, ...], Path] = {}

    def build(name: str, *flags: str) -> Path:
        key = (name, *flags)
        if key not in known:
            output = folder / f"lib{name}{len(known)}.so"
            result = compile_cpp(HERE / f"{name}.cc", output, *flags)
            assert result.returncode == 0 and not result.stderr, result.stderr
            known[key] = output
        return known[key]

    return build
