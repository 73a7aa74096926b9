# SPDX-License-Identifier: Apache-2.0
"""Comments of C++ are whole: nothing has reflowed them, and none breaks a declaration in two."""

from __future__ import annotations

import re

import pytest
from lint_sources import CPP, files, relative, text

FOLDERS = ("src", "include", "tests/cpp", "tests/testing_lib", "examples")
#: Blanks inside of a line, where two lines became one. Code in backticks and figures may have them.
RUN_OF_BLANKS = re.compile(r"^\s*//+<? ?\S.*?\S(?:  +)\S")
FIGURE = re.compile(r"[|`]|^\s*//+ {2,}|->")
#: A declaration that goes on in a deeper line because its comment is long.
BROKEN = re.compile(r"^ *[^/\n]*[\w*>=]\n {6,}[\w*]+(?: = [^;,]*)?[;,] +///<.*$", re.MULTILINE)


def garbled(source: str) -> list[str]:
    lines = source.splitlines()
    found = [line for line in lines if RUN_OF_BLANKS.match(line) and not FIGURE.search(line)]
    # The heads of tables that stand in comments.
    found = [line for line in found if not re.match(r"^//   \S", line)]
    return found + BROKEN.findall(source)


def test_comments_are_whole() -> None:
    in_table = re.compile(r"^//   ")
    faults = []
    for path in files(*FOLDERS, suffixes=CPP):
        faults += [
            f"{relative(path)}: {line.strip()}"
            for line in garbled(text(path))
            if not in_table.match(line)
        ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "source",
    [
        "/// The first half of   the second one.\n",
        "  void*\n      setter;  ///< what sets\n",
        "  kValue =\n      10,  ///< ten\n",
    ],
)
def test_what_is_garbled(source: str) -> None:
    assert garbled(source)


@pytest.mark.parametrize(
    "source", ["/// Whole.\nint a;  ///< one\n", "//   state     word\n//   ready     object\n"]
)
def test_what_is_whole(source: str) -> None:
    assert not garbled(source)
