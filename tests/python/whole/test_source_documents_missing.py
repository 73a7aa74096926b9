# SPDX-License-Identifier: Apache-2.0
"""The page on the documents that tain follows names what is tested, and no row is left out."""

from __future__ import annotations

import re
from pathlib import Path

from test_source_documents import BY_NUMBER, ROWS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "source_documents.md"
NUMBERS = range(1, 33)


def table(heading: str) -> list[str]:
    """Return the ids that the first column of a section's table names."""
    page = PAGE.read_text(encoding="utf-8")
    section = page.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^\| `([a-z]+-\d\d)` \|", section, re.MULTILINE)


def test_the_page_says_what_is_tested() -> None:
    assert table("What works") == list(BY_NUMBER)
    assert table("What tain does not do") == []


def test_the_page_has_every_row() -> None:
    assert {int(name[-2:]) for name in ROWS} == set(NUMBERS)
