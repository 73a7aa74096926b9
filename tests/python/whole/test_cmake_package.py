# SPDX-License-Identifier: Apache-2.0
"""Builds with CMake, of tain and of what is built against it.

No file is scanned for C++ modules, which CMake does for C++20 by itself, with a process for each
file that takes as long as compiling.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tain
from tain import libinfo

ROOT = Path(__file__).resolve().parents[3]
DOWNSTREAM = """
cmake_minimum_required(VERSION @versions@)
project(downstream LANGUAGES CXX)
find_package(tain CONFIG REQUIRED)
tain_add_library(downstream one.cc two.cc)
"""
# Run at the end of the configuration. Older compilers cannot scan: there only the property tells.
SAY = """
function(say_whether_it_scans)
  get_target_property(scan @target@ CXX_SCAN_FOR_MODULES)
  message(STATUS "scan: ${scan}")
endfunction()
cmake_language(DEFER CALL say_whether_it_scans)
"""


def check_that_nothing_is_scanned(folder: Path, source: Path, target: str, *settings: str) -> None:
    """Configure a project and look at what a target says and at what ninja will do."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    cmake = shutil.which("cmake", path=path)
    assert cmake, "cmake is not installed: pip install '.[test]'"
    build = folder / "build"
    (folder / "say.cmake").write_text(SAY.replace("@target@", target))
    settings = (f"-DCMAKE_PROJECT_INCLUDE={folder / 'say.cmake'}", *settings)
    done = subprocess.run(
        [cmake, "-G", "Ninja", "-S", str(source), "-B", str(build), *settings],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "scan: OFF\n" in done.stdout
    ninja = (build / "build.ninja").read_text(encoding="utf-8")
    assert "CXX_SCAN__" not in ninja and "CXX_DYNDEP__" not in ninja


@pytest.mark.parametrize("versions", ["3.23", "3.23...4.0"])
def test_libraries_of_users_are_not_scanned_for_modules(tmp_path: Path, versions: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(DOWNSTREAM.replace("@versions@", versions))
    for name in ("one.cc", "two.cc"):
        (tmp_path / name).write_text("#include <tain/tain.h>\n")
    package = f"-Dtain_DIR={libinfo.cmake_dir()}"
    check_that_nothing_is_scanned(tmp_path, tmp_path, "downstream", package)


def test_tain_is_not_scanned_for_modules(tmp_path: Path) -> None:
    options = ("-DTAIN_BUILD_PYTHON=OFF", "-DTAIN_BUILD_TESTS=OFF")
    check_that_nothing_is_scanned(tmp_path, ROOT, "tain", *options)


COMPAT = """
cmake_minimum_required(VERSION 3.23...4.0)
project(downstream LANGUAGES CXX)
find_package(tain CONFIG REQUIRED)
tain_add_library(theirs COMPAT theirs.cc)
tain_add_library(ours ours.cc)
"""


def test_libraries_with_the_names_of_the_ecosystem(tmp_path: Path) -> None:
    """COMPAT puts the forwarding headers on the path of one library, and of no other."""
    (tmp_path / "CMakeLists.txt").write_text(COMPAT)
    (tmp_path / "theirs.cc").write_text(
        "#include <tvm/runtime/registry.h>\n"
        'TVM_REGISTER_GLOBAL("theirs.one").set_body_typed([] { return 1; });\n'
    )
    (tmp_path / "ours.cc").write_text(
        "#if __has_include(<tvm/runtime/registry.h>)\n#error on the path of all\n#endif\n"
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    cmake = shutil.which("cmake", path=path)
    assert cmake, "cmake is not installed: pip install '.[test]'"
    build = str(tmp_path / "build")
    package = f"-Dtain_DIR={libinfo.cmake_dir()}"
    for command in (["-G", "Ninja", "-S", str(tmp_path), "-B", build, package], ["--build", build]):
        done = subprocess.run(
            [cmake, *command],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PATH": path},
        )
        assert done.returncode == 0, done.stdout + done.stderr
    tain.load_library(str(tmp_path / "build" / "libtheirs.so"))
    assert tain.get_global_func("theirs.one")() == 1
