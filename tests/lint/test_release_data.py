# SPDX-License-Identifier: Apache-2.0
"""One version number, and notices of what the wheel contains."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import tain._core
from lint_sources import ROOT, text

HEADER = text(ROOT / "include" / "tain" / "version.h")


def defined(name: str) -> str:
    """Return what version.h defines a name to."""
    found = re.search(rf'^#define {name} "?([^"\n]+)"?$', HEADER, re.MULTILINE)
    assert found, name
    return found[1]


def test_one_version_number_feeds_all() -> None:
    version = defined("TAIN_VERSION")
    parts = [defined(f"TAIN_VERSION_{part}") for part in ("MAJOR", "MINOR", "PATCH")]
    assert version == ".".join(parts)
    assert metadata.version("tain") == version
    assert tain.__version__ == version
    installed = Path(tain._core.__file__).parent / "lib" / "cmake" / "tain"
    assert f'set(PACKAGE_VERSION "{version}")' in text(installed / "tainConfigVersion.cmake")


def test_no_other_file_repeats_the_version() -> None:
    version = re.escape(defined("TAIN_VERSION"))
    for name in ("pyproject.toml", "CMakeLists.txt", "CMakePresets.json"):
        assert not re.search(rf"(?<![\d.]){version}(?![\d.])", text(ROOT / name)), name


def test_the_changelog_knows_the_version() -> None:
    assert f"## [{defined('TAIN_VERSION')}]" in text(ROOT / "CHANGELOG.md")


def test_third_party_notices_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "tools" / "third_party_notices.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
