# SPDX-License-Identifier: Apache-2.0
"""examples/interop_*: extension modules of other binding libraries with objects of tain."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
FOLDER_OPTION = {"nanobind": "--cmake_dir", "pybind11": "--cmakedir"}


def output(*command: str | Path) -> str:
    """Return what a command prints; it must succeed."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
    return done.stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize("library", list(FOLDER_OPTION))
def test_the_example_builds_and_runs(library: str, tmp_path: Path) -> None:
    source = EXAMPLES / f"interop_{library}"
    folder = output(sys.executable, "-m", library, FOLDER_OPTION[library])
    output(
        "cmake",
        *("-S", source, "-B", tmp_path, "-G", "Ninja"),
        f"-Dtain_DIR={output(sys.executable, '-m', 'tain', 'config', '--cmakedir')}",
        f"-D{library}_DIR={folder}",
        f"-DPython_EXECUTABLE={sys.executable}",
    )
    output("cmake", "--build", tmp_path, "-j", "2")
    assert output(sys.executable, source / "run.py", tmp_path) == "all as expected"


@pytest.mark.slow
def test_without_tain_a_call_raises_import_error(tmp_path: Path) -> None:
    """The casters say what is missing instead of crashing."""
    test_the_example_builds_and_runs("pybind11", tmp_path)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.modules['tain'] = None\n"
    code += (
        "import drawing\ntry: drawing.same(1)\nexcept (TypeError, ImportError): print('refused')"
    )
    assert output(sys.executable, "-c", code) == "refused"
