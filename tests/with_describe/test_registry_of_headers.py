# SPDX-License-Identifier: Apache-2.0
"""What is written from a header registers what the same list by hand registers.

The header, its list and the program that prints a registry are those of tests/with_reflection,
which compares the list with TAIN_REFLECT: so all three are the same.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

REFLECTION = Path(__file__).parents[1] / "with_reflection"
SETTINGS = f"""
headers = ["{REFLECTION / "shapes.h"}"]
include_dirs = ["{REFLECTION}"]
namespaces = ["shapes"]
exclude = ["shapes::Labelled"]  # a base class that is no type of its own
"""


def registry(library: Path) -> dict[str, Any]:
    command = [sys.executable, str(REFLECTION / "registry.py"), str(library), "shapes"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    made: dict[str, Any] = json.loads(result.stdout)
    return made


def test_the_two_forms_register_the_same(
    tmp_path: Path, describe: Callable[..., Any], compiled: Callable[..., Path]
) -> None:
    (tmp_path / "describe.toml").write_text(SETTINGS)
    written = tmp_path / "shapes.cc"
    result = describe("--settings", "describe.toml", "-o", written, folder=tmp_path)
    assert result.returncode == 0, result.stderr
    listed = tmp_path / "listed" / "shapes.cc"
    listed.parent.mkdir()
    listed.write_text((REFLECTION / "shapes_listed.cc").read_text())
    flag = f"-I{REFLECTION}"
    by_header, by_hand = registry(compiled(written, flag)), registry(compiled(listed, flag))
    assert list(by_header) == list(by_hand)
    for key, facts in by_hand.items():
        assert by_header[key] == facts, key
