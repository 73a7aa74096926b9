# SPDX-License-Identifier: Apache-2.0
"""Both columns of the pages for users of other libraries run, and print the same."""

from __future__ import annotations

import importlib
import os
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from doc_blocks import ROOT, blocks, printed, program, run

PAGES = {name: ROOT / "docs" / f"from_{name}.md" for name in ("nanobind", "pybind11", "tvm_ffi")}
COMPILE = [os.environ.get("CXX", "c++"), "-std=c++20", "-O0", "-fPIC", "-fvisibility=hidden"]
PYTHON = f"-I{sysconfig.get_path('include')}"
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))


def compile_file(source: Path, target: Path, *options: str) -> None:
    """Run the compiler; what it prints is the message of a failure."""
    command = [*COMPILE, *options, str(source), "-o", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:6000]


@pytest.fixture(scope="module")
def nanobind_object(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """nanobind's own code, compiled once, and the options of its headers."""
    root = Path(str(importlib.import_module("nanobind").__file__)).parent
    headers = [PYTHON, f"-I{root / 'include'}", f"-I{root / 'ext/robin_map/include'}"]
    target = tmp_path_factory.mktemp("nanobind") / "nanobind.o"
    flags = ("-fno-strict-aliasing", "-DNB_COMPACT_ASSERTIONS", "-c")
    compile_file(root / "src" / "nb_combined.cpp", target, *headers, *flags)
    return target, headers


Build = Callable[[Path], None]


@pytest.fixture
def build_of(request: pytest.FixtureRequest) -> Callable[[str], Build]:
    """How a source of a library is made an extension, beside it."""

    def nanobind() -> Build:
        compiled, headers = request.getfixturevalue("nanobind_object")
        return lambda source: compile_file(
            source, source.with_name(source.stem + SUFFIX), "-shared", *headers, str(compiled)
        )

    def pybind11() -> Build:
        headers = [PYTHON, f"-I{importlib.import_module('pybind11').get_include()}"]
        return lambda source: compile_file(
            source, source.with_name(source.stem + SUFFIX), "-shared", *headers
        )

    def tvm_ffi() -> Build:
        known = importlib.import_module("tvm_ffi.libinfo")
        library = Path(known.find_libtvm_ffi())
        headers = [f"-I{known.find_include_path()}", f"-I{known.find_dlpack_include_path()}"]
        return lambda source: compile_file(
            source,
            source.with_suffix(".so"),
            *("-shared", "-x", "c++", *headers),
            *(f"-L{library.parent}", "-ltvm_ffi", f"-Wl,-rpath,{library.parent}"),
        )

    makers = {"nanobind": nanobind, "pybind11": pybind11, "tvm_ffi": tvm_ffi}
    return lambda library: makers[library]()


@pytest.mark.parametrize("library", PAGES)
def test_the_other_library_does_the_same(
    library: str, build_of: Callable[[str], Build], tmp_path: Path
) -> None:
    page = PAGES[library]
    code = program(page, tmp_path, library)
    sources = [block.file for block in blocks(page) if block.library == library and block.file]
    build = build_of(library)
    for source in sources:
        build(tmp_path / source)
    said = run(code, tmp_path)
    assert said == printed(page, library)
    assert said == printed(page)  # which tests/docs compares with what tain prints


@pytest.mark.parametrize("library", PAGES)
def test_each_block_of_the_other_library_has_one_beside_it(library: str) -> None:
    languages = [(block.language, block.library) for block in blocks(PAGES[library])]
    left = languages[::2]
    assert {other for _, other in left} == {library}
    assert languages[1::2] == [(language, "") for language, _ in left]
