# SPDX-License-Identifier: Apache-2.0
"""docs/reference.md says what registry and headers say now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_reference_is_current() -> None:
    command = [sys.executable, str(ROOT / "tools" / "reference.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
