# SPDX-License-Identifier: Apache-2.0
"""Registrations that are written from headers: these tests need the wheel libclang-ng.

Those of test_libraries.py also need packages of Debian: libpugixml-dev, libtinyxml2-dev,
libre2-dev, libyaml-cpp-dev, libbox2d-dev. A library that is not there has no tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from optional import left_out, pytest_terminal_summary

from tain import libinfo

__all__ = ["collect_ignore", "pytest_terminal_summary"]

NEEDS = {
    name: ["package clang"]
    for name in (
        "test_cmake.py",
        "test_command.py",
        "test_libraries.py",
        "test_registry_of_headers.py",
        "test_rules.py",
    )
}
collect_ignore = left_out(__file__, NEEDS, 'pip install "tain[test-describe]"')

CXX = os.environ.get("CXX", "c++")

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def describe() -> Run:
    """Return a function that runs the command in a folder."""

    def run(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tain", "describe", *map(str, arguments)]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=folder, timeout=240
        )

    return run


@pytest.fixture(scope="session")
def compiled() -> Callable[..., Path]:
    """Return a function that compiles a description without a warning."""

    def compile_(source: Path, *flags: str) -> Path:
        library = source.with_name(f"lib{source.stem}.so")
        command = [CXX, "-std=c++20", "-O1", "-Wall", "-Wextra", "-fPIC", "-shared"]
        command += ["-fvisibility=hidden", "-fvisibility-inlines-hidden", "-fno-gnu-unique"]
        command += [f'-DTAIN_UNIT_NAME="{source.stem}"', f"-I{libinfo.include_dir()}"]
        command += ["-o", str(library), str(source), libinfo.find_libtain(), *flags]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0 and not result.stderr, result.stderr[-4000:]
        return library

    return compile_
