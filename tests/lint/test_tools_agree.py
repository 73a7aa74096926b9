# SPDX-License-Identifier: Apache-2.0
"""The formatters and checkers of C++, Python and prose find nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import tain._core
from lint_sources import CPP, ROOT, files

BIN = Path(sys.executable).parent
CPP_FOLDERS = ("include", "src", "tests/cpp", "tests/testing_lib", "examples", "benchmarks")


def run(*command: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> None:
    """Run a tool of this environment; its output is the message of the failure."""
    program = shutil.which(command[0], path=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    assert program, f"{command[0]} is not installed: pip install '.[test]'"
    result = subprocess.run(
        [program, *command[1:]],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert result.returncode == 0, f"{command[0]}:\n{result.stdout[-6000:]}"


def test_ruff_check() -> None:
    run("ruff", "check", "--quiet", ".")


def test_ruff_format() -> None:
    run("ruff", "format", "--check", "--quiet", "--diff", ".")


def test_clang_format() -> None:
    sources = [str(path) for path in files(*CPP_FOLDERS, suffixes=CPP)]
    assert sources
    run("clang-format", "--dry-run", "--Werror", "--ferror-limit=3", *sources)


def test_mypy_strict(tmp_path: Path) -> None:
    """The package as it is installed: the sources beside the generated stub of the bridge."""
    package = tmp_path / "tain"
    shutil.copytree(ROOT / "python" / "tain", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(Path(tain._core.__file__).with_name("_core.pyi"), package)
    config = ("--config-file", str(ROOT / "pyproject.toml"))
    cache = ("--cache-dir", str(ROOT / ".mypy_cache"))
    run("mypy", *config, *cache, cwd=tmp_path, env={"MYPYPATH": str(tmp_path)})


def test_typos() -> None:
    run("typos", "--format", "brief")
