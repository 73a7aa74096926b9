# SPDX-License-Identifier: Apache-2.0
"""What an import says if CMake refuses the edited project; tests/with_project has the rest."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from tain._rebuild import _failed_step, build
from tain.cpp._errors import first_error

PROJECT = "cmake_minimum_required(VERSION 3.25)\nproject(edited NONE)\n"

# The edit, and how the error ends.
EDITS = [
    (
        'message(WARNING "odd")\nad_library(y y.cc)\n',
        'CMakeLists.txt:4: error: Unknown CMake command "ad_library".',
    ),
    (
        'message(FATAL_ERROR "no such\\n  thing: here\\n")\n',
        "CMakeLists.txt:3: error: no such thing: here",
    ),
    (
        "add_custom_target(t ALL SOURCES nope.cc)\n",
        "CMakeLists.txt:3: error: Cannot find source file: nope.cc",
    ),
    (
        ")\n",
        "CMakeLists.txt:3: error: Parse error. "
        'Expected a command name, got right paren with text ")".',
    ),
]


@pytest.fixture(autouse=True)
def _plain_make(monkeypatch: pytest.MonkeyPatch) -> None:
    """GNU make itself stops with AddressSanitizer."""
    monkeypatch.delenv("LD_PRELOAD", raising=False)


@pytest.mark.bad_input
@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
@pytest.mark.parametrize(("edit", "last"), EDITS)
def test_the_error_of_cmake_is_shown(tmp_path: Path, generator: str, edit: str, last: str) -> None:
    source, folder = tmp_path / "CMakeLists.txt", tmp_path / "build"
    source.write_text(PROJECT)
    configure = ["cmake", "-G", generator, "-S", str(tmp_path), "-B", str(folder)]
    subprocess.run(configure, check=True, capture_output=True)
    source.write_text(PROJECT + edit)
    finder = SimpleNamespace(path=str(folder), install_dir=str(tmp_path / "installed"))
    with pytest.raises(ImportError) as caught:
        build("edited", finder)
    text = str(caught.value)
    assert text.startswith(f"edited does not build ({tmp_path}/):\n")
    assert text.endswith(f"\n{last}")
    assert "FAILED: " not in text and "ninja: " not in text


@pytest.mark.bad_input
def test_a_step_that_uses_the_terminal_is_shown(tmp_path: Path) -> None:
    test_the_error_of_cmake_is_shown(
        tmp_path,
        "Ninja",
        "add_custom_target(t ALL COMMAND echo it says no && false USES_TERMINAL)\n",
        "it says no",
    )


def test_a_failed_step_has_its_own_lines() -> None:
    lines = "[1/3] a\nnoise\nFAILED: a.o\nc++ a.cc\na.cc:1:1: error: no\n[2/3] b\nmore\n"
    assert _failed_step(lines) == "a.cc:1:1: error: no"
    assert _failed_step("[1/3] a\nsaid\nFAILED: a.o\nc++ a.cc\nninja: stopped\n") == "said"
    assert _failed_step("make: *** no\n") == "make: *** no"
    silent = "[1/3] a\nFAILED: a.o\nc++ a.cc\nninja: stopped"
    assert _failed_step(silent) == silent


def test_an_error_of_cmake_without_a_place() -> None:
    assert first_error("-- x\nCMake Error: no such\n  generator\n\nnext\n") == (
        "CMake: error: no such generator"
    )


def test_the_reason_of_a_faulty_registration_is_last() -> None:
    output = """python -m tain stubgen: /b/libgeo.so (geo) cannot be used, and what was \
registered with it is withdrawn (geo.Point):
  - geo.Point.x: a field of this name is registered already
  - TAIN_REGISTER (geo.cc:3): five
"""
    assert first_error(output) == "geo.Point.x: a field of this name is registered already"
