# SPDX-License-Identifier: Apache-2.0
"""The command: its files, its errors, its exit status."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HEADER = """
#pragma once
namespace geo {
struct Point { double x = 0; double y = 0; };
inline double norm(const Point& p) { return p.x + p.y; }
inline void reset(int& count) { count = 0; }
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "geo.h").write_text(HEADER)
    return tmp_path


Describe = Callable[..., Any]


def test_standard_output_and_table(describe: Describe, folder: Path) -> None:
    result = describe("geo.h", "--namespace", "geo", folder=folder)
    assert result.returncode == 0, result.stderr
    assert '#include "geo.h"' in result.stdout
    assert '.def("geo.norm", &geo::norm, arg("p"))' in result.stdout
    assert "3 of 4 members cross (75 %)" in result.stderr
    assert "geo.reset" in result.stderr
    assert "parameter count is a reference to a value that C++ may change" in result.stderr
    quiet = describe("geo.h", "--namespace", "geo", "--quiet", folder=folder)
    assert quiet.stderr == "3 of 4 members cross (75 %)\n" and quiet.stdout == result.stdout


def test_strict(describe: Describe, folder: Path) -> None:
    result = describe("geo.h", "--namespace", "geo", "--strict", "-o", "out.cc", folder=folder)
    assert result.returncode == 1 and (folder / "out.cc").exists()
    (folder / "describe.toml").write_text(
        'headers = ["geo.h"]\nnamespaces = ["geo"]\nexclude = ["geo::reset"]\nstrict = true\n'
    )
    result = describe("--settings", "describe.toml", "-o", "out.cc", folder=folder)
    assert result.returncode == 0, result.stderr


def test_a_file_is_written_only_if_it_changes(describe: Describe, folder: Path) -> None:
    arguments = ("geo.h", "--namespace", "geo", "-o", "made/out.cc", "--depfile", "out.d")
    assert describe(*arguments, folder=folder).returncode == 0
    made = folder / "made" / "out.cc"
    os.utime(made, (1, 1))
    before = made.read_text()
    assert describe(*arguments, folder=folder).returncode == 0
    assert made.stat().st_mtime == 1 and made.read_text() == before
    assert describe(*arguments, "--touch", folder=folder).returncode == 0
    assert made.stat().st_mtime > 1
    rule = (folder / "out.d").read_text()
    assert rule.startswith("made/out.cc: ") and str(folder / "geo.h") in rule
    (folder / "geo.h").write_text(HEADER.replace("double y = 0;", "double y = 0, z = 0;"))
    assert describe(*arguments, folder=folder).returncode == 0
    changed = [line for line in made.read_text().splitlines() if line not in before.splitlines()]
    assert changed == ['      .def_rw("z", &geo::Point::z)']


def test_errors_of_headers_are_clangs(describe: Describe, folder: Path) -> None:
    (folder / "out.cc").write_text("as it was")
    wrong = "".join(f"int f{n}() {{ return missing{n}; }}\n" for n in range(20))
    (folder / "geo.h").write_text(f"namespace geo {{\n{wrong}}}\n")
    result = describe("geo.h", "--namespace", "geo", "-o", "out.cc", folder=folder)
    assert result.returncode == 1 and (folder / "out.cc").read_text() == "as it was"
    lines = result.stderr.splitlines()
    assert lines[0].endswith("geo.h:2:19: error: use of undeclared identifier 'missing0'")
    assert lines[1] == "int f0() { return missing0; }" and lines[2] == " " * 18 + "^"
    assert len(lines) <= 15
    result = describe("none.h", "--namespace", "geo", folder=folder)
    assert result.returncode == 1 and "'none.h' file not found" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("geo.h", "--namespace", "goe"), "no namespace 'goe' in the headers (there: geo)"),
        ((), "no header is named"),
        (("geo.h", "--namespace", "geo", "--std", "20"), "write 'c++20'"),
        (("geo.h", "--namespace", "geo", "--compiler", "no-such"), "'no-such' cannot be run"),
        (("geo.h", "--namespace", "geo", "--flag=-std=c++banana"), "error"),
    ],
)
def test_errors(describe: Describe, folder: Path, arguments: tuple[str, ...], text: str) -> None:
    result = describe(*arguments, folder=folder)
    assert result.returncode == 1 and text in result.stderr, result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('renames = {a = "b"}', "did you mean 'rename'?"),
        (
            'exclude = ["geo::Pont"]',
            "exclude: no declaration matches 'geo::Pont' (near: geo::Point",
        ),
        (
            'members = {"geo::Pont" = ".def()"}',
            "members: no declaration matches 'geo::Pont' (near: ",
        ),
        ('exceptions = {"geo::E" = "ValueError"}', "exceptions: no declaration matches 'geo::E'"),
        ('instances = {"geo::Box<int>" = "IntBox"}', "instances: 'geo::Box<int>': "),
    ],
)
def test_settings_that_match_nothing(
    describe: Describe, folder: Path, line: str, text: str
) -> None:
    (folder / "pyproject.toml").write_text(
        f'[tool.tain.describe]\nheaders = ["geo.h"]\nnamespaces = ["geo"]\n{line}\n'
    )
    result = describe("-o", "out.cc", folder=folder)
    assert result.returncode == 1 and text in result.stderr, result.stderr
    assert not (folder / "out.cc").exists()
