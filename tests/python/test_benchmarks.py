# SPDX-License-Identifier: Apache-2.0
"""benchmarks/run.py: it builds, runs, and prints and writes its table. No time is checked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parents[2] / "benchmarks" / "run.py"


def run(*options: str) -> str:
    command = [sys.executable, str(RUN), "--quick", "--contenders", "tain,c", *options]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=280).stdout


@pytest.mark.slow
def test_table_and_json_have_the_rows(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    text = run("nop()", "p.a", "--json", str(file))
    head, *lines = text.splitlines()
    assert head.split()[:2] == ["operation", "tain"]
    assert [line.split("  ")[0] for line in lines] == ["nop()", "p.a", "p.a = 3"]
    rows = json.loads(file.read_text())["rows"]
    assert [row["name"] for row in rows] == ["nop()", "p.a", "p.a = 3"]
    for row in rows:
        assert set(row["values"]) == {"tain", "c"}
        assert all(value > 0 for value in row["values"].values())
        assert row["unit"] == "ns"
        assert row["target"] is not None


@pytest.mark.slow
def test_rows_with_processes_of_their_own() -> None:
    lines = run("memory", "import").splitlines()[1:]
    names = [line.split("  ")[0] for line in lines]
    assert names == [
        "import",
        "import, no types registered",
        "import, 10000 types registered",
        "first use of one of them",
        "memory of a Pair",
    ]
