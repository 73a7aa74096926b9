# SPDX-License-Identifier: Apache-2.0
"""docs/messages.md shows the messages of the table that the tests raise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_messages_are_current() -> None:
    command = [sys.executable, str(ROOT / "tools" / "messages.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
