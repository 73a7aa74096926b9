# SPDX-License-Identifier: Apache-2.0
"""Wrong use of the headers: the compiler's first error says what to do, in at most 15 lines.

Of the user's file and tain's headers, gcc names the user's line first. Where the compiler itself
words the error, `output` is what a line below it says.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parents[1] / "include"
CASES = sorted(HERE.glob("*.cc"))
COMPILERS = [name for name in ("g++", "clang++-19") if shutil.which(name)]
MAX_LINES = 15
USER_LINES = [
    *("base_not_public", "field_object_by_value", "make_object_base_not_public"),
    *("overloaded_function", "overloaded_method", "overloaded_property", "overloaded_static"),
    *("parent_not_public", "ref_without_default", "ref_without_default_ctor"),
    *("ref_without_default_fields", "ref_without_default_make"),
]

_ERROR = re.compile(r": (?:fatal )?error: (.*)$")


def _directives(source: str) -> dict[str, str]:
    """Return what the comments at the top say: `expect` or `output`, and `options`."""
    found: dict[str, str] = {}
    name = ""
    for line in source.splitlines()[2:]:
        if not line.startswith("// "):
            break
        text = line[3:]
        match = re.match(r"(expect|output|options): (.*)$", text)
        if match:
            name = match[1]
            found[name] = match[2]
        elif name:
            found[name] += " " + text
    return found


def test_there_are_cases() -> None:
    assert len(CASES) > 20


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("case", CASES, ids=[case.stem for case in CASES])
def test_the_first_error_says_what_to_do(case: Path, compiler: str) -> None:
    said = _directives(case.read_text())
    options = said.get("options", "-std=c++20").split()
    command = [compiler, *options, "-fsyntax-only", "-fno-diagnostics-color", f"-I{INCLUDE}"]
    done = subprocess.run(
        [*command, case.name], cwd=HERE, capture_output=True, text=True, check=False
    )
    lines = done.stderr.splitlines()
    errors = [match[1] for line in lines if (match := _ERROR.search(line))]
    assert done.returncode != 0, "it compiles"
    assert errors and said.get("expect", "") in errors[0], done.stderr
    assert said.get("output", "") in done.stderr
    assert len(lines) <= MAX_LINES, done.stderr


@pytest.mark.only_if("g++" in COMPILERS, "the lines are those of g++")
@pytest.mark.parametrize("case", USER_LINES)
def test_the_line_of_the_user_comes_before_those_of_the_headers(case: str) -> None:
    command = ["g++", "-std=c++20", "-fsyntax-only", "-fno-diagnostics-color", f"-I{INCLUDE}"]
    done = subprocess.run(
        [*command, f"{case}.cc"], cwd=HERE, capture_output=True, text=True, check=False
    )
    lines = done.stderr.splitlines()
    places = [
        line for line in lines if re.match(r"\S+:\d+:\d+: .*(error|required from here)", line)
    ]
    assert places and places[0].startswith(f"{case}.cc:"), done.stderr
