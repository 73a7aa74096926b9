# SPDX-License-Identifier: Apache-2.0
"""What the installed libraries import and export: no Python below the bridge, hidden by default."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import tain._core

LIB = Path(tain._core.__file__).parent / "lib"
LIBRARIES = ["libtain.so", "libtain_testing.so"]


def symbols(library: str, *options: str) -> list[tuple[str, str]]:
    """Return (type, name) of the dynamic symbols of an installed library, as nm prints them."""
    command = ["nm", "-D", "--format=posix", *options, str(LIB / library)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [(fields[1], fields[0]) for line in lines if len(fields := line.split()) > 1]


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_symbol_of_python(library: str) -> None:
    python = re.compile(r"^_?Py[A-Z_]|nanobind|pybind11")
    assert [name for _, name in symbols(library) if python.search(name)] == []


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_library_of_python_is_needed(library: str) -> None:
    command = ["readelf", "-d", str(LIB / library)]
    needed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "libpython" not in needed


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_symbol_is_unique_in_the_process(library: str) -> None:
    """GNU unique symbols would be shared by two builds of one library, and forbid its unloading."""
    assert [name for kind, name in symbols(library, "--defined-only") if kind == "u"] == []


# Every library of the process sees these once tain is imported, and would take them for its own of
# the same name: so no inline function and no template of another namespace may be among them.
OWN = re.compile(r"^Tain[A-Z]\w*$|^_Z(T[VSI])?(N[KO]?)4tain")


def test_libtain_exports_its_own_names_only() -> None:
    """C functions `Tain*`, and C++ names of namespace tain; nothing of its private dependencies."""
    names = [name for _, name in symbols("libtain.so", "--defined-only")]
    assert [name for name in names if not OWN.search(name)] == []
    private = re.compile("nanobind|robin")
    assert [name for name in names if private.search(name)] == []


def test_libtain_exports_nothing_inline() -> None:
    """Weak functions would take the place of those that other libraries compiled for themselves."""
    weak = [name for kind, name in symbols("libtain.so", "--defined-only") if kind in "WwV"]
    assert [name for name in weak if not re.match(r"^_ZT[VSI]N4tain", name)] == []


def test_the_bridge_exports_its_entry_point_only() -> None:
    command = ["nm", "-D", "--defined-only", "--format=posix", tain._core.__file__]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    names = [line.split()[0] for line in lines if line.split()[1] == "T"]
    assert names == ["PyInit__core"]
