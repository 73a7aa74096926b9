# SPDX-License-Identifier: Apache-2.0
"""A platform of 32 bits gets one error, which says so, and none that follows from it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from lint_sources import ROOT


def printed(*command: str) -> str:
    """Return what a command prints."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.only_if(
    printed("g++", "-dumpmachine").startswith("x86_64"), reason="g++ has another kind of 32 bits"
)
def test_a_32_bit_platform_is_refused_once(tmp_path: Path) -> None:
    # The headers of glibc and libstdc++ for 64 bits serve to look at ours, where those for 32 bits
    # are not installed.
    (tmp_path / "gnu").mkdir()
    (tmp_path / "gnu" / "stubs-32.h").touch()
    multiarch = Path("/usr/include") / printed("g++", "-print-multiarch")
    version = printed("g++", "-dumpversion").partition(".")[0]
    folders = (ROOT / "include", tmp_path, multiarch / "c++" / version, multiarch)
    command = ["g++", "-std=c++20", "-m32", "-fsyntax-only", "-x", "c++", "-"]
    command += [option for folder in folders for option in ("-isystem", str(folder))]
    done = subprocess.run(
        command, input="#include <tain/tain.h>\n", capture_output=True, text=True, check=False
    )
    errors = re.findall(r"error: (.*)", done.stderr)
    assert errors == ['#error "tain needs a 64-bit platform"'], done.stderr
