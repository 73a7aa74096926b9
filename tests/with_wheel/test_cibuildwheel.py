# SPDX-License-Identifier: Apache-2.0
"""The configuration of cibuildwheel is read by it, and gives one wheel for each Python."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
MINORS = re.findall(r'"Programming Language :: Python :: 3\.(\d+)"', PROJECT)


def identifiers(platform: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Ask cibuildwheel what it would build."""
    command = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", str(folder)]
    command += ["--platform", platform, "--archs", "x86_64" if platform != "windows" else "AMD64"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("platform", "tag"),
    [("linux", "manylinux_x86_64"), ("macos", "macosx_x86_64"), ("windows", "win_amd64")],
)
def test_one_wheel_for_each_python(platform: str, tag: str) -> None:
    done = identifiers(platform, ROOT)
    assert done.returncode == 0, done.stderr
    # Without a GIL, cibuildwheel knows those that CPython supports: 3.13t was an experiment.
    names = [
        f"cp3{minor}{build}"
        for minor in MINORS
        for build in (["", "t"] if int(minor) >= 14 else [""])
    ]
    assert done.stdout.split() == [f"{name}-{tag}" for name in names]


def test_a_mistake_in_the_configuration_is_found(tmp_path: Path) -> None:
    wrong = PROJECT.replace("manylinux-x86_64-image", "manylinux-x86_46-image")
    assert wrong != PROJECT
    (tmp_path / "pyproject.toml").write_text(wrong, encoding="utf-8")
    done = identifiers("linux", tmp_path)
    assert done.returncode != 0
    assert "manylinux-x86_46-image" in done.stdout + done.stderr
