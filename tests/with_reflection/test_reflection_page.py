# SPDX-License-Identifier: Apache-2.0
"""The code blocks of docs/reflection.md are executed, as tests/docs does for the other pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from doc_blocks import ROOT, printed, program, run


@pytest.mark.slow
def test_every_block_runs(tmp_path: Path) -> None:
    page = ROOT / "docs" / "reflection.md"
    lines = printed(page, "c++26")
    assert lines
    assert run(program(page, tmp_path, "c++26"), tmp_path) == lines
