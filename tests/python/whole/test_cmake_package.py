# SPDX-License-Identifier: Apache-2.0
"""Builds with CMake, of tain and of what is built against it.

No file is scanned for C++ modules, which CMake does for C++20 by itself, with a process for each
file that takes as long as compiling.
"""

from __future__ import annotations

import os
import re
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


def cmake(*arguments: str, status: int = 0) -> str:
    """Run CMake, with the programs of this environment, and return what it prints."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    program = shutil.which("cmake", path=path)
    assert program, "cmake is not installed: pip install '.[test]'"
    done = subprocess.run(
        [program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path},
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def check_that_nothing_is_scanned(folder: Path, source: Path, target: str, *settings: str) -> None:
    """Configure a project and look at what a target says and at what ninja will do."""
    build = folder / "build"
    (folder / "say.cmake").write_text(SAY.replace("@target@", target))
    settings = (f"-DCMAKE_PROJECT_INCLUDE={folder / 'say.cmake'}", *settings)
    printed = cmake("-G", "Ninja", "-S", str(source), "-B", str(build), *settings)
    assert "scan: OFF\n" in printed
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
    build = str(tmp_path / "build")
    cmake("-G", "Ninja", "-S", str(tmp_path), "-B", build, f"-Dtain_DIR={libinfo.cmake_dir()}")
    cmake("--build", build)
    tain.load_library(str(tmp_path / "build" / "libtheirs.so"))
    assert tain.get_global_func("theirs.one")() == 1


PACKAGE = """
cmake_minimum_required(VERSION 3.23...4.0)
project(several LANGUAGES CXX)
find_package(tain CONFIG REQUIRED)
tain_add_library(first first.cc)
tain_add_library(second second.cc)
tain_add_library(whole STATIC whole.cc)
tain_add_library(holder holder.cc)
target_link_libraries(holder PRIVATE whole)
add_executable(program program.cc)
target_link_libraries(program PRIVATE whole)
tain_install(first program DESTINATION package TYPES several several.deep)
tain_install(second holder DESTINATION package/sub/lib)
"""
REGISTERING = """
#include <tain/tain.h>
TAIN_REGISTER {{ tain::reflection::GlobalDef().def("several.{name}", [] {{ return {value}; }}); }}
"""
PROGRAM = """
#include <cstdio>
#include <tain/tain.h>
int main() {
  const auto whole = tain::Function::GetGlobalRequired("several.whole");
  std::printf("%d\\n", whole().cast<int>());
}
"""
# What is below `package` after the installation, and the run path of each file.
INSTALLED = {
    "libfirst.so": "$ORIGIN:$ORIGIN/../tain/lib",
    "program": "$ORIGIN:$ORIGIN/../tain/lib",
    "sub/lib/libholder.so": "$ORIGIN:$ORIGIN/../../../tain/lib",
    "sub/lib/libsecond.so": "$ORIGIN:$ORIGIN/../../../tain/lib",
}


@pytest.mark.slow
def test_several_libraries_in_a_package(tmp_path: Path, run) -> None:
    """The linker drops nothing of a static library, in a shared library and in a program."""
    (tmp_path / "CMakeLists.txt").write_text(PACKAGE)
    for value, name in enumerate(("first", "second", "whole")):
        (tmp_path / f"{name}.cc").write_text(REGISTERING.format(name=name, value=value))
    (tmp_path / "holder.cc").write_text("int unused;\n")
    (tmp_path / "program.cc").write_text(PROGRAM)
    build, site = str(tmp_path / "build"), tmp_path / "site packages"
    package = f"-Dtain_DIR={libinfo.cmake_dir()}"
    cmake("-G", "Ninja", "-S", str(tmp_path), "-B", build, package)
    cmake("--build", build)
    cmake("--install", build, "--prefix", str(site))
    paths = {}
    for file in filter(Path.is_file, (site / "package").rglob("*")):
        dynamic = subprocess.run(["readelf", "-d", str(file)], capture_output=True, check=True)
        (path,) = re.findall(r"\(RUNPATH\).*\[(.*)\]", dynamic.stdout.decode())
        paths[str(file.relative_to(site / "package"))] = path
    assert paths == INSTALLED
    types = {str(file.relative_to(site)): file.read_text() for file in site.rglob("*.pyi")}
    assert types == {
        "tain/types/several/__init__.pyi": "from package import *\n",
        "tain/types/several/deep/__init__.pyi": "from package.deep import *\n",
    }
    shutil.rmtree(site / "tain")
    # Where pip would have put tain. The program finds it by its run path.
    (site / "tain").symlink_to(Path(libinfo.lib_dir()).parent)
    program = [str(site / "package" / "program")]
    assert subprocess.run(program, capture_output=True, check=True).stdout == b"2\n"
    run(f"""
        from pathlib import Path
        import tain
        for name in ("libfirst.so", "sub/lib/libsecond.so", "sub/lib/libholder.so"):
            tain.load_library(Path({str(site)!r}, "package", name))
        names = ("first", "second", "whole")
        assert [tain.get_global_func(f"several.{{name}}")() for name in names] == [0, 1, 2]
        """)


REFUSED = [
    ("tain_install()", "tain_install: expected at least one target"),
    ("tain_install(one)", "tain_install(one): expected DESTINATION <package>"),
    (
        "tain_install(one DESTINATION ../up)",
        "tain_install(one): expected as DESTINATION a Python package or a folder in one, "
        "got '../up'",
    ),
    (
        "tain_install(one DESTINATION /usr)",
        "tain_install(one): expected as DESTINATION a Python package or a folder in one, "
        "got '/usr'",
    ),
    (
        "tain_install(one two DESTINATION package/lib)",
        "tain_install(one two): there is no target one",
    ),
    (
        "add_library(one INTERFACE)\ntain_install(one DESTINATION package)",
        "tain_install(one): expected shared libraries, modules or programs, got one, which is of "
        "the type INTERFACE_LIBRARY",
    ),
    ("tain_add_library(one STATIC)", "tain_add_library(one): expected at least one source file"),
]


@pytest.mark.bad_input
@pytest.mark.parametrize(("call", "error"), REFUSED)
def test_wrong_calls(tmp_path: Path, call: str, error: str) -> None:
    """The project has no language, so no compiler is searched."""
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.23...4.0)\nproject(wrong NONE)\n"
        f'include("{ROOT}/cmake/tain_add_library.cmake")\n{call}\n'
    )
    printed = cmake("-S", str(tmp_path), "-B", str(tmp_path / "build"), status=1)
    first = re.search(r"\(message\):\n(.*?)\nCall Stack", printed, re.DOTALL)
    assert first and " ".join(first[1].split()) == error


PC_PROGRAM = """
#include <cstdio>
#include <tain/tain.h>
int main() { std::printf("%s\\n", tain::Shape{1, 2}[1] == 2 ? "linked" : "wrong"); }
"""


def test_pkg_config(tmp_path: Path) -> None:
    """tain.pc says what `config` says, and is enough for a program."""
    tool = shutil.which("pkg-config")
    assert tool, "pkg-config is not installed"
    environment = {**os.environ, "PKG_CONFIG_PATH": libinfo.pkgconfig_dir()}

    def ask(*options: str) -> list[str]:
        command = [tool, *options, "tain"]
        done = subprocess.run(command, capture_output=True, env=environment, check=True)
        return done.stdout.decode().split()

    def plain(option: str) -> str:
        start = option.find("/")
        return option if start < 0 else option[:start] + os.path.normpath(option[start:])

    assert ask("--modversion") == [tain.__version__]
    options = ask("--cflags", "--libs")
    assert sorted(map(plain, options)) == sorted([*libinfo.cxxflags(), *libinfo.libs()])
    (tmp_path / "program.cc").write_text(PC_PROGRAM)
    program = str(tmp_path / "program")
    compiler = os.environ.get("CXX", "c++")
    command = [compiler, str(tmp_path / "program.cc"), *options, "-o", program]
    subprocess.run(command, check=True)
    assert subprocess.run([program], capture_output=True, check=True).stdout == b"linked\n"
