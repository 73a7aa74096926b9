# SPDX-License-Identifier: Apache-2.0
"""The code blocks of docs/reflection.md are executed, as tests/docs does for the other pages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "docs"))
try:
    import test_blocks as docs
finally:
    sys.path.pop(0)

PAGES = [page for page in docs.PAGES if docs.needs_reflection(page)]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=docs.name)
def test_every_block_runs(page: Path, tmp_path: Path) -> None:
    docs.run_page(page, tmp_path)


def test_the_page_is_among_them() -> None:
    assert [docs.name(page) for page in PAGES] == ["docs/reflection.md"]
