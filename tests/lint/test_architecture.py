# SPDX-License-Identifier: Apache-2.0
"""ARCHITECTURE.md is short; it and the pages for contributors name files that exist."""

from __future__ import annotations

import re

from lint_sources import CPP, ROOT, files, relative, text
from test_layers import FOLDERS

PAGE = ROOT / "ARCHITECTURE.md"
PAGES = [PAGE, *(ROOT / "docs/contributing").glob("*.md")]
MOST_CHARACTERS, LONGEST_LINE = 26_500, 120
NAMED = re.compile(r"(?<![\w*/.<])([\w./]*(?:\{[\w,]+\})?[\w.]*\.(?:cc|h|py|sh))\b")


def expanded(name: str) -> list[str]:
    """`a/{b,c}.cc` as a/b.cc and a/c.cc."""
    found = re.search(r"\{([\w,]+)\}", name)
    if found is None:
        return [name]
    return [name.replace(found[0], one) for one in found[1].split(",")]


def test_files_that_it_names_exist() -> None:
    folders = ("src", "include", "python", "tests", "tools", "benchmarks", ".ci")
    known = ["/" + relative(path) for path in files(*folders, suffixes=(*CPP, ".py", ".sh", ".c"))]
    names = {
        one for page in PAGES for found in NAMED.finditer(text(page)) for one in expanded(found[1])
    }
    assert len(names) > 100
    missing = [
        name for name in sorted(names) if not any(path.endswith("/" + name) for path in known)
    ]
    # Headers of CPython and C.
    assert [name for name in missing if name not in ("Python.h", "c.h")] == []


def test_it_tells_what_each_folder_is_for() -> None:
    rings = text(PAGE).partition("## Rings and folders")[2].partition("```")[2].partition("```")[0]
    told = re.findall(r"^   (\w+) ", rings, re.MULTILINE)
    assert told == [folder for half in FOLDERS.values() for folder in half]


def test_it_is_short() -> None:
    assert len(text(PAGE)) <= MOST_CHARACTERS
    assert [line for line in text(PAGE).splitlines() if len(line) > LONGEST_LINE] == []


def test_it_cites_every_page_for_contributors() -> None:
    cited = {ROOT / name for name in re.findall(r"docs/contributing/\w+\.md", text(PAGE))}
    assert cited == set(PAGES[1:])
