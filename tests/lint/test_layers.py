# SPDX-License-Identifier: Apache-2.0
"""Which part may include what: the table of rings, and in each ring the table of its folders.

A room is a source file with its header. Rooms include rooms of their own folder and of those that
stand before it in the table, and none that leads back to them.
"""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest
from lint_sources import CPP, ROOT, Include, files, includes, knots, relative, rooms

UMBRELLA = ROOT / "include" / "tain" / "tain.h"
INTEROP = ROOT / "include" / "tain" / "interop"
PYTHON = re.compile(r"^(Python|structmember|frameobject|datetime)\.h$|^(nanobind|pybind11|numpy)/")


# The folders of each half, lowest first. ARCHITECTURE.md shows them as a picture.
FOLDERS = {
    "src/ffi": (
        "base",
        "json",
        "memory",
        "registry",
        "libraries",
        "values",
        "dynamic",
        "calls",
        "modules",
        "tensors",
        *("graphs", "walk", "compare", "save", "load", "passes"),
    ),
    "src/bindings": (
        *("base", "objects", "values", "describe", "calls", "containers", "tensors"),
        *("classes", "graphs", "api"),
    ),
}
# A container of Python holds values, and so does one of C++: converting one converts others.
KNOT_OF_VALUES = {
    *(
        "values/from_python",
        "values/argument_protocols",
        "values/host_convert",
        "values/container_convert",
    ),
    *("values/container_access", "values/container_lookup"),
}


class Ring(NamedTuple):
    """What the files of one ring may include beside the public headers and the standard library."""

    folders: tuple[str, ...]
    umbrella: bool = True
    ffi: bool = False
    bindings: bool = False
    python: bool = False


RINGS = {
    "headers": Ring(("include/tain",), umbrella=False),
    "interop": Ring(("include/tain/interop",), umbrella=False, python=True),
    "compat": Ring(("include/tain_compat",)),
    "core": Ring(("src/ffi",), ffi=True),
    "bridge": Ring(("src/bindings",), bindings=True, python=True),
    "tests": Ring(("tests/cpp", "tests/testing_lib", "tests/compile_fail")),
    "examples": Ring(("examples",)),
    "interop examples": Ring((), python=True),
}


def ring_of(path: Path) -> str:
    """Return the ring of a C++ file."""
    name = relative(path)
    if name.startswith("include/tain/interop/"):
        return "interop"
    if re.match(r"examples/(interop_|[\w/]+/(nanobind|pybind11)/)", name):
        return "interop examples"
    return next(
        ring
        for ring, rules in RINGS.items()
        if name.startswith(tuple(f"{folder}/" for folder in rules.folders))
    )


def fault(include: Include) -> str | None:
    """Return why an include is against the table, or None."""
    ring = ring_of(include.file)
    rules = RINGS[ring]
    target = "" if include.target is None else relative(include.target)
    if PYTHON.search(include.name) and not rules.python:
        return f"{ring} must not know Python"
    if target.startswith("src/ffi/") and not rules.ffi:
        return f"{ring} must not see the private headers of the core"
    if target.startswith("src/bindings/") and not rules.bindings:
        return f"{ring} must not see the bridge"
    if target == relative(UMBRELLA) and not rules.umbrella:
        return "the umbrella header is for users"
    if target.startswith("include/tain/interop/") and ring == "headers":
        return "interop headers are not part of tain.h"
    if target.startswith("tests/") and ring != "tests":
        return f"{ring} must not see the tests"
    return None


def all_files() -> list[Path]:
    """Return every C++ file of the rings."""
    return files(*(folder for ring in RINGS.values() for folder in ring.folders), suffixes=CPP)


def test_includes_follow_the_table_of_rings() -> None:
    faults = [
        f"{include}: {reason}"
        for path in all_files()
        for include in includes(path)
        if (reason := fault(include))
    ]
    assert not faults, "\n".join(faults)


def test_each_ring_has_files() -> None:
    """A renamed folder must not switch the table off."""
    found = {ring_of(path) for path in all_files()}
    assert {"headers", "core", "bridge"} <= found


def test_the_c_headers_stand_at_the_bottom() -> None:
    """c_api.h and what it includes need nothing of tain's C++."""
    tains_own = {"c_api_ext.h", "c_api_host.h", "c_api_registry.h"}
    allowed = {"c_api.h", "dlpack_types.h", "version.h"} | tains_own
    top = ROOT / "include" / "tain"
    faults = [
        str(include)
        for name in sorted(allowed)
        for include in includes(top / name)
        if include.target and include.target.name not in allowed
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("half", FOLDERS)
def test_folders_include_only_those_before_them(half: str) -> None:
    order = FOLDERS[half]
    graph = rooms(half)
    assert {room.partition("/")[0] for room in graph} == set(order)
    faults = [
        f"{half}/{room} includes {other}"
        for room, others in graph.items()
        for other in others
        if order.index(other.partition("/")[0]) > order.index(room.partition("/")[0])
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("half", FOLDERS)
def test_rooms_have_ranks(half: str) -> None:
    found = knots(rooms(half))
    assert found == ([KNOT_OF_VALUES] if half == "src/bindings" else [])


def test_knots_are_found() -> None:
    graph: dict[str, set[str]] = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a", "d"}}
    assert knots(graph) == [{"b", "c"}, {"d"}]


@pytest.mark.parametrize("folder", ["include/tain", "include/tain_compat"])
def test_headers_include_only_lower_ranks(folder: str) -> None:
    """Ranks are what the includes make them; a cycle means that there are none."""
    graph = {
        path: [include.target for include in includes(path) if include.target]
        for path in files(folder, suffixes=(".h",))
    }
    # Two halves of one contract: whichever is included first brings the other.
    graph.pop(ROOT / "include" / "tain" / "c_api_ext.h", None)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        cycle = " -> ".join(relative(path) for path in error.args[1])
        pytest.fail(f"headers include each other: {cycle}")


@pytest.mark.parametrize(
    ("file", "name", "expected"),
    [
        ("include/tain/any.h", "Python.h", "headers must not know Python"),
        ("include/tain/any.h", "tain/tain.h", "the umbrella header is for users"),
        ("src/ffi/base/error.cc", "nanobind/nanobind.h", "core must not know Python"),
        ("src/bindings/calls/call.cc", "Python.h", None),
        ("include/tain/interop/nanobind.h", "nanobind/nanobind.h", None),
        ("include/tain_compat/tvm/ffi/tvm_ffi.h", "tain/tain.h", None),
        ("include/tain_compat/tvm/ffi/any.h", "Python.h", "compat must not know Python"),
        ("examples/interop_nanobind/a.cc", "nanobind/nanobind.h", None),
        ("examples/spreadsheet/nanobind/a.cc", "nanobind/nanobind.h", None),
        ("examples/ports/toml/pybind11/a.cc", "pybind11/pybind11.h", None),
        ("examples/ports/toml/toml.cc", "pybind11/pybind11.h", "examples must not know Python"),
        ("examples/spreadsheet/src/a.cc", "nanobind/nanobind.h", "examples must not know Python"),
        ("examples/geometry/src/a.cc", "Python.h", "examples must not know Python"),
    ],
)
def test_the_table_itself(file: str, name: str, expected: str | None) -> None:
    target = ROOT / "include" / name
    found = Include(ROOT / file, 1, name, target if name.startswith("tain/") else None)
    assert fault(found) == expected
