# SPDX-License-Identifier: Apache-2.0
"""Tests of tain_tvm_ffi: the library with the names of the ecosystem, and the package `tvm_ffi`.

They are no part of a run without that package: pip install ./compat
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from compiled_clients import compiled
from optional import left_out, pytest_terminal_summary

__all__ = ["client", "collect_ignore", "compiled", "point", "pytest_terminal_summary", "run"]

NEEDS = {
    name: ["package tain_tvm_ffi"]
    for name in (
        "test_builds.py",
        "test_client.py",
        "test_embed_cubin.py",
        "test_exports.py",
        "test_leaks.py",
        "test_provide.py",
    )
}
collect_ignore = left_out(__file__, NEEDS, "pip install ./compat")


@pytest.fixture(scope="session")
def client(compiled: Callable[..., Path]) -> Any:
    """The library of fixtures/client.c."""
    import tain_tvm_ffi

    import tain

    tain_tvm_ffi.load()
    return tain.load_module(str(compiled(Path(__file__).parent / "fixtures" / "client.c")))


@pytest.fixture
def point(client: Any) -> Iterator[Any]:
    """The class of the library's type; all its objects are gone in the end."""
    from tain.types.client import Point

    before = client.living_points()
    yield Point
    gc.collect()
    assert client.living_points() == before


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
