# SPDX-License-Identifier: Apache-2.0
"""``python -m tain types``: one line for each registered type."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tain.types.testing import Point

import tain
from tain import _core
from tain._type_table import type_table
from tain.libinfo import find_bundled
from tain.testing import live_objects

HEADINGS = ["index", "key", "parent", "fields", "methods", "objects"]


def types(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tain", "types", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def line_of(key: str) -> list[str]:
    (line,) = (line.split() for line in type_table(key).splitlines()[1:] if line.split()[1] == key)
    return line


def test_each_type_has_one_line() -> None:
    head, *lines = type_table().splitlines()
    assert head.split() == HEADINGS
    assert "testing.Color" in tain.type_keys()  # an enum, which has no line
    types_of_keys = [k for k in tain.type_keys() if isinstance(tain.type_info(k), _core.TypeInfo)]
    assert len(lines) == len(types_of_keys)
    indices = [int(line.split()[0]) for line in lines]
    assert indices == sorted(set(indices))
    for line in lines:
        if len(line.split()) > len(HEADINGS):
            continue  # a key of the odd ones, which has blanks
        index, key, parent, fields, methods, _ = line.split()
        info = tain.type_info(key)
        assert int(index) == info.index
        assert parent == (info.parent.key if info.parent else "-")
        assert (int(fields), int(methods)) == (len(info.fields), len(info.methods))


def test_the_columns_are_aligned() -> None:
    lines = type_table("testing.Po").splitlines()
    assert len({len(line) for line in lines}) == 1
    assert lines[0].startswith("index  key")
    key = lines[1].index("testing.Point")
    assert lines[0].index("key") == key


def test_an_odd_key_stays_on_its_line() -> None:
    key = "testing.table\nof types"

    @tain.py_class(key)
    class Odd(tain.Object):
        x: int

    made = Odd(5)
    (line,) = type_table("testing.table").splitlines()[1:]
    cells = [str(tain.type_info(Odd).index), repr(key), "ffi.Object", "1", "0", "1"]
    assert line.split() == " ".join(cells).split()
    assert made.x == 5


def test_living_objects_are_counted() -> None:
    before = live_objects().get("testing.Point", 0)
    points = [Point(i, i) for i in range(3)]
    assert line_of("testing.Point")[-1] == str(before + len(points))
    points.clear()
    assert line_of("testing.Point")[-1] == str(before)


def test_no_type_has_the_prefix() -> None:
    assert type_table("no.such.") == "  ".join(HEADINGS)


def test_the_command_prints_the_table() -> None:
    done = types()
    assert (done.returncode, done.stderr) == (0, "")
    lines = {line.split()[1]: line.split() for line in done.stdout.splitlines()[1:]}
    array = tain.type_info("ffi.Array")
    assert lines["ffi.Array"][:3] == [str(array.index), "ffi.Array", "ffi.Object"]
    assert lines["ffi.Object"][2] == "-"


def test_the_command_loads_libraries_first() -> None:
    library = find_bundled("tain_testing")
    done = types("testing.Poi", "--load", library)
    assert (done.returncode, done.stderr) == (0, "")
    head, point = (line.split() for line in done.stdout.splitlines())
    assert head == HEADINGS
    fields, methods = len(Point.__match_args__), len(tain.type_info(Point).methods)
    assert point[1:] == ["testing.Point", "ffi.Object", str(fields), str(methods), "0"]


@pytest.mark.bad_input
def test_the_command_refuses_what_is_no_library() -> None:
    done = types("--load", "/no/such/lib.so")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "python -m tain types: there is no file /no/such/lib.so\n"
