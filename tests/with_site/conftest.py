# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without Sphinx, a browser, or the other libraries.

They need Debian's packages chromium and chromium-driver, and pip install "tain[test-site]".
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import open_browser
from doc_blocks import ROOT
from optional import left_out
from optional import pytest_terminal_summary as pytest_terminal_summary

SPHINX = ["package sphinx", "package furo", "package myst_parser"]
NEEDS = {
    "test_autodoc.py": ["package sphinx"],
    "test_site.py": SPHINX,
    "test_site_in_browser.py": [*SPHINX, "package selenium", "program chromedriver"],
    "test_columns.py": ["package nanobind", "package pybind11", "package tvm_ffi"],
}
collect_ignore = left_out(__file__, NEEDS, 'pip install "tain[test-site]"')


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built as docs/conf.py says; warnings are errors."""
    folder = tmp_path_factory.mktemp("site") / "html"
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-c", "docs"]
    done = subprocess.run(
        [*command, ".", str(folder)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return folder


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A headless browser."""
    with open_browser(tmp_path_factory.mktemp("profile")) as made:
        yield made
