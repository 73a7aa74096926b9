# SPDX-License-Identifier: Apache-2.0
"""tain_add_library(... DESCRIBE ...): a build describes headers, again only when one changed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tain import libinfo

PROJECT = """
cmake_minimum_required(VERSION 3.24)
project(shapes LANGUAGES CXX)
find_package(tain CONFIG REQUIRED)
add_library(plain INTERFACE)
target_include_directories(plain INTERFACE include)
target_compile_definitions(plain INTERFACE SIDES=4)
tain_add_library(shapes DESCRIBE include/shapes/square.h NAMESPACE shapes)
target_link_libraries(shapes PRIVATE plain)
"""
HEADER = """
#pragma once
#include <shapes/base.h>
namespace shapes {
/// A square.
class Square : public Base {
 public:
  explicit Square(double side = 1) : side_(side) {}
  int sides() const { return SIDES; }
  double area() const { return side_ * side_; }
 private:
  double side_;
};
}
"""
BASE = "#pragma once\nnamespace shapes { struct Base { int id = 7; }; }\n"


class Build:
    """A project, and its build."""

    def __init__(self, folder: Path):
        self.folder = folder
        headers = folder / "include" / "shapes"
        headers.mkdir(parents=True)
        (headers / "square.h").write_text(HEADER)
        (headers / "base.h").write_text(BASE)
        (folder / "CMakeLists.txt").write_text(PROJECT)
        self.described = folder / "build" / "shapes_tain.cc"
        command = ["cmake", "-S", str(folder), "-B", str(folder / "build"), "-G", "Ninja"]
        command += [f"-Dtain_DIR={libinfo.cmake_dir()}", f"-DPython_EXECUTABLE={sys.executable}"]
        self._run(*command)

    def _run(self, *command: str) -> str:
        result = subprocess.run(
            command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        self.status = result.returncode
        return result.stdout + result.stderr

    def run(self) -> str:
        """Build, and return what is printed."""
        return self._run("cmake", "--build", str(self.folder / "build"))

    def python(self, program: str) -> str:
        library = self.folder / "build" / "libshapes.so"
        start = f"import tain\ntain.load_library({str(library)!r})\n"
        output = self._run(sys.executable, "-c", start + program)
        assert self.status == 0, output
        return output


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return Build(tmp_path_factory.mktemp("shapes"))


def test_a_build_describes_headers_when_they_change(build: Build) -> None:
    output = build.run()
    assert build.status == 0, output
    assert '#include "shapes/square.h"' in build.described.read_text()
    program = (
        "from tain.types.shapes import Square; s = Square(3); print(s.area(), s.sides(), s.id)"
    )
    assert build.python(program) == "9.0 4 7\n"
    assert "no work to do" in build.run()
    # A header that the described one includes.
    base = build.folder / "include" / "shapes" / "base.h"
    os.utime(base)
    before = build.described.stat().st_mtime_ns
    output = build.run()
    assert "Describing shapes" in output and build.described.stat().st_mtime_ns == before
    base.write_text(BASE.replace("int id = 7;", "int id = 8; int more = 1;"))
    output = build.run()
    assert build.status == 0 and "Describing shapes" in output, output
    assert build.python("from tain.types.shapes import Square; print(Square().more)") == "1\n"
    assert "no work to do" in build.run()


def test_an_error_in_a_header_fails_the_build(build: Build) -> None:
    assert build.run() and build.status == 0
    header = build.folder / "include" / "shapes" / "square.h"
    before = build.described.read_text()
    header.write_text(HEADER.replace("return SIDES;", "return SIDE;"))
    output = build.run()
    assert build.status != 0 and "error: use of undeclared identifier 'SIDE'" in output, output
    assert build.described.read_text() == before
    header.write_text(HEADER)
    build.run()
    assert build.status == 0


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("tain_add_library(x NAMESPACE shapes a.cc)", "expected DESCRIBE <header>..."),
        ("tain_add_library(x DESCRIBE)", "expected DESCRIBE <header>..."),
    ],
)
def test_wrong_calls(tmp_path: Path, call: str, text: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.24)\nproject(x LANGUAGES CXX)\n"
        f"find_package(tain CONFIG REQUIRED)\n{call}\n"
    )
    command = ["cmake", "-S", str(tmp_path), "-B", str(tmp_path / "build"), "-G", "Ninja"]
    command.append(f"-Dtain_DIR={libinfo.cmake_dir()}")
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode != 0 and text in " ".join(result.stderr.split()), result.stderr
