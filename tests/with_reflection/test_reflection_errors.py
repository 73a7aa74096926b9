# SPDX-License-Identifier: Apache-2.0
"""Wrong use of TAIN_REFLECT: the compiler's first error says what to do, in at most 15 lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

CASES = sorted((Path(__file__).parent / "compile_fail").glob("*.cc"))
_ERROR = re.compile(r": (?:fatal )?error: (.*)$", re.MULTILINE)


def expected(source: str) -> str:
    """Return what the comments at the top say, after `expect: `."""
    lines = takewhile(lambda line: line.startswith("// "), source.splitlines())
    return " ".join(line[3:] for line in lines).partition("expect: ")[2]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_the_error_says_what_to_do(case: Path, compile_cpp: Callable[..., Any]) -> None:
    # gcc 16 repeats the source line of each step that led to the error.
    options = ("-std=c++26", "-freflection", "-fno-diagnostics-show-caret")
    result = compile_cpp(case, None, *options)
    assert result.returncode != 0
    first = _ERROR.search(result.stderr)
    assert first and expected(case.read_text()) in first[1], result.stderr
    assert len(result.stderr.splitlines()) <= 15, result.stderr


def test_the_header_stops_without_reflection(
    compile_cpp: Callable[..., Any], tmp_path: Path
) -> None:
    source = tmp_path / "plain.cc"
    source.write_text("#include <tain/reflection/auto.h>\n")
    result = compile_cpp(source, None, "-std=c++26")
    assert _ERROR.findall(result.stderr) == [
        '#error "auto.h needs C++26 with reflection: gcc 16 or later, -std=c++26 -freflection"'
    ]
