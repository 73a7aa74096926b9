# SPDX-License-Identifier: Apache-2.0
"""No test is skipped for what it could know before: it is no part of the run, or it fails."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from lint_sources import ROOT, files, text

TESTS = """
import pytest

@pytest.mark.only_if(False, reason="never")
def test_of_another_interpreter():
    assert False

@pytest.mark.only_if(True, reason="always")
def test_of_this_one():
    pass

def test_without_its_tool():
    pytest.skip("no such tool")
"""
MODULE = 'import pytest\npytest.importorskip("no_such_module")\n'


def pytest_in(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder. What CI asks of its own run is not asked of this one."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def run(folder: Path, *options: str) -> tuple[int, str]:
    """Run tests beside a copy of the file that is tested; the status and the last line."""
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = only_if: one\n")
    done = pytest_in(folder, *options)
    return done.returncode, re.sub(r" in .*", "", done.stdout.splitlines()[-1])


def test_tests_belong_or_fail(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    assert run(tmp_path) == (0, "1 passed, 1 skipped, 1 deselected")
    assert run(tmp_path, "--no-skips") == (1, "1 failed, 1 passed, 1 deselected")


def test_modules_belong_or_fail(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(MODULE)
    assert run(tmp_path) == (5, "1 skipped")
    assert run(tmp_path, "--no-skips")[0] != 0
    assert "error" in run(tmp_path, "--no-skips")[1]


def test_a_file_that_lacks_its_package_is_left_out_and_named(tmp_path: Path) -> None:
    folder = tmp_path / "with_some"
    folder.mkdir()
    (folder / "conftest.py").write_text(
        "from optional import left_out, pytest_terminal_summary\n"
        'NEEDS = {"test_a.py": ["package no_such", "program no-such"], "test_b.py": []}\n'
        'collect_ignore = left_out(__file__, NEEDS, "pip install some")\n'
    )
    for name in ("test_a", "test_b"):
        (folder / f"{name}.py").write_text(f"def {name}(): pass\n")
    shutil.copy(ROOT / "tests" / "python" / "helpers" / "optional.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    done = pytest_in(tmp_path)
    assert "1 passed" in done.stdout
    assert (
        "\ntests/with_some/test_a.py needs package no_such, program no-such: pip install some\n"
    ) in done.stdout


def test_what_is_known_before_is_said_by_only_if() -> None:
    asked = re.compile(r"mark\.skip(if)?\b|importorskip")
    others = [path.name for path in files("tests", suffixes={".py"}) if asked.search(text(path))]
    assert others == [Path(__file__).name]
