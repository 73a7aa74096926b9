# SPDX-License-Identifier: Apache-2.0
"""The stages of .ci/run and tools/matrix.sh, and the table of the matrix."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lint_sources import ROOT

ROWS = (
    ("3.10", "g++", "none", "ok"),
    ("3.11", "g++", "none", "failed"),
    ("3.12", "g++", "address, undefined", "LEFT OUT (no such interpreter)"),
)
KNOWN = "| 3.11 | g++ | none | Python 3.11.7, g++ 12 | 17 | 2026-01-02 | 0123456789 |"


def stages(script: str, folder: Path) -> tuple[int, str]:
    """Run stages by bash; the status, and what is printed with the seconds replaced."""
    command = ["bash", "-euo", "pipefail", "-c", f"source tools/stages.sh\n{script}"]
    env = {**os.environ, "TAIN_WORK": str(folder), "TAIN_TIME_SCALE": "1"}
    env["TAIN_STAGES_MINUTES"] = ""  # that of the run these tests belong to
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    return done.returncode, re.sub(r" +\d+ s\b", " 0 s", done.stdout)


def test_a_stage_that_cannot_run_is_left_out_loudly(tmp_path: Path) -> None:
    status, text = stages('stage "newest" 1 not_here "no network"; stage_table', tmp_path)
    assert status == 0
    assert "=== newest: LEFT OUT (no network), 0 s\n" in text
    assert text.endswith("!!! NOT TESTED, left out: newest: no network\n")


def test_a_stage_that_fails_is_a_failure(tmp_path: Path) -> None:
    script = 'stage "wrong" 1 false || true; stage_table; echo "${tain_failed[*]}"'
    status, text = stages(script, tmp_path)
    assert status == 0
    assert "=== wrong: FAILED (status 1), 0 s\n" in text
    assert text.endswith("wrong\n")
    assert "NOT TESTED" not in text


LATE = "the stages may take no more than 1 minutes"


def test_a_stage_is_left_out_when_the_run_is_late(tmp_path: Path) -> None:
    """Before it begins, and when the time ends that the stages have together."""
    script = """
      TAIN_STAGES_MINUTES=1
      stage "early" 1 true
      SECONDS=54
      stage "long" 1 sleep 50
      SECONDS=61
      stage "late" 1 false
      stage_table
    """
    status, text = stages(script, tmp_path)
    assert status == 0
    assert "=== early: ok, 0 s\n" in text
    assert f"=== long: LEFT OUT ({LATE}), 0 s\n" in text
    assert text.endswith(f"left out: long: {LATE}\n!!! NOT TESTED, left out: late: {LATE}\n")


def test_stages_of_a_lane_count_as_the_others(tmp_path: Path) -> None:
    script = """
      beside() {
        stage "good" 1 true
        stage "bad" 1 false || true
        stage "away" 1 not_here "no network"
      }
      lane_begin beside
      stage "first" 1 true
      lane_end
      stage_table
      echo "${#tain_failed[@]} ${tain_failed[*]}"
    """
    status, text = stages(script, tmp_path)
    assert status == 0
    assert text.index("=== first: ok") < text.index("=== good: ok") < text.index("=== stages so")
    assert text.endswith("!!! NOT TESTED, left out: away: no network\n1 bad\n")


def test_a_lane_that_breaks_off_is_a_failure(tmp_path: Path) -> None:
    script = 'beside() { exit 3; }; lane_begin beside; lane_end; echo "${tain_failed[*]}"'
    status, text = stages(script, tmp_path)
    assert (status, text) == (0, "the stages beside the others did not end\n")


@pytest.mark.parametrize("there", ["a file of the user", None])
def test_no_folder_of_others_becomes_a_system(tmp_path: Path, there: str | None) -> None:
    """Without root, or with something else in its folder, nothing is made and nothing removed."""
    folder = tmp_path / "system"
    folder.mkdir()
    if there is not None:
        (folder / there).touch()
    elif os.getuid() == 0:
        (folder / "anything").touch()
    before = sorted(folder.iterdir())
    command = ["bash", "tools/unstable.sh", str(folder), "true"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 75
    assert done.stdout == f"Debian's unstable suite could not be installed in {folder}\n"
    assert sorted(folder.iterdir()) == before


def test_the_table_keeps_what_was_known(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("tested with: Python 3.10.13, g++ 12.2.0\n== 4000 passed, 3 deselected in 5.10s")
    results, page = tmp_path / "results", tmp_path / "page.md"
    results.write_text("".join("\t".join((*row, str(log))) + "\n" for row in ROWS))
    page.write_text(f"# Matrix\n\n{KNOWN}\n")
    command = [sys.executable, str(ROOT / "tools" / "matrix_table.py"), str(results), str(page)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("| 3.")]
    assert re.fullmatch(
        r"\| 3\.10 \| g\+\+ \| none \| Python 3\.10\.13, g\+\+ 12\.2\.0 \| 4000 "
        r"\| \d{4}-\d\d-\d\d \| [0-9a-f]{10} \|",
        lines[0],
    )
    assert lines[1:] == [KNOWN, "| 3.12 | g++ | address, undefined | | | never | |"]
    assert "Not all rows have passed yet." in done.stdout
