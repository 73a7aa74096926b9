# SPDX-License-Identifier: Apache-2.0
"""Tests of tain_tvm_ffi: the library with the names of the ecosystem, and the package `tvm_ffi`.

They are no part of a run without that package: pip install ./compat
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from compiled_clients import compiled
from optional import left_out, pytest_terminal_summary

__all__ = ["collect_ignore", "compiled", "pytest_terminal_summary", "run"]

NEEDS = {
    name: ["package tain_tvm_ffi"]
    for name in ("test_client.py", "test_exports.py", "test_provide.py")
}
collect_ignore = left_out(__file__, NEEDS, "pip install ./compat")


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
