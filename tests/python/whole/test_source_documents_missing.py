# SPDX-License-Identifier: Apache-2.0
"""What the documents that tain follows show and tain does not do yet.

Each row has a check that fails today, for the reason that is given. The day it passes, the test
fails: then the check moves to test_source_documents, and its line on the page to the other table.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from test_source_documents import BY_NUMBER, ROWS

import tain
from tain import libinfo

PAGE = Path(__file__).resolve().parents[3] / "docs" / "source_documents.md"
NUMBERS = range(1, 33)


class Missing(NamedTuple):
    """A check, and the error with which it fails."""

    check: Callable[[], None]
    error: type[Exception]


MISSING: dict[str, Missing] = {}


def row(name: str, error: type[Exception]) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Give a check the id of its row."""

    def add(check: Callable[[], None]) -> Callable[[], None]:
        MISSING[name] = Missing(check, error)
        return check

    return add


class DoesNotCompileError(Exception):
    """A C++ source is refused by the compiler."""


def compiles(source: str) -> None:
    """Let the compiler read a source; raise what it cannot do."""
    includes = [f"-I{libinfo.include_dir()}", f"-I{libinfo.compat_dir()}"]
    command = ["g++", "-std=c++20", "-fsyntax-only", *includes, "-x", "c++", "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise DoesNotCompileError(result.stderr)


@row("packedfunc-15", AttributeError)
def _() -> None:
    save, load, check = tain.save_json, tain.load_json, tain.assert_structural_equal
    array = tain.convert([1, 2, 3])
    check(load(save(array)), array, map_free_vars=True)


@pytest.mark.parametrize(
    "check",
    [
        pytest.param(
            missing.check, id=name, marks=pytest.mark.xfail(raises=missing.error, strict=True)
        )
        for name, missing in MISSING.items()
    ],
)
def test_not_yet(check: Callable[[], None]) -> None:
    check()


def table(heading: str) -> list[str]:
    """Return the ids that the first column of a section's table names."""
    page = PAGE.read_text(encoding="utf-8")
    section = page.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^\| `([a-z]+-\d\d)` \|", section, re.MULTILINE)


def test_the_page_says_what_is_tested() -> None:
    assert table("What works") == list(BY_NUMBER)
    assert table("What tain does not do yet") == list(MISSING)


def test_the_page_has_every_row() -> None:
    assert {int(name[-2:]) for name in {**ROWS, **MISSING}} == set(NUMBERS)
