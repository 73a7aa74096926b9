# SPDX-License-Identifier: Apache-2.0
"""``python -m tain types``: one line for each registered type."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tain.types.testing import Point

import tain
from tain import _core
from tain._type_table import type_table
from tain.libinfo import find_bundled, version
from tain.testing import live_objects

HEADINGS = ["index", "key", "parent", "fields", "methods", "objects", "threads"]


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
        index, key, parent, fields, methods, *_ = line.split()
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


def test_which_calls_threads_may_make() -> None:
    said = {name: line_of(f"testing.threads.{name}")[-1] for name in ("Silent", "Locked", "Safe")}
    assert said == {"Silent": "some", "Locked": "some", "Safe": "safe"}
    assert line_of("testing.Vector")[-1] == "-"


def test_an_odd_key_stays_on_its_line() -> None:
    key = "testing.table\nof types"

    @tain.py_class(key)
    class Odd(tain.Object):
        x: int

    made = Odd(5)
    (line,) = type_table("testing.table").splitlines()[1:]
    cells = [str(tain.type_info(Odd).index), repr(key), "ffi.Object", "1", "0", "1", "-"]
    assert line.split() == " ".join(cells).split()
    assert made.x == 5


def test_living_objects_are_counted() -> None:
    before = live_objects().get("testing.Point", 0)
    points = [Point(i, i) for i in range(3)]
    assert line_of("testing.Point")[-2] == str(before + len(points))
    points.clear()
    assert line_of("testing.Point")[-2] == str(before)


def test_no_type_has_the_prefix() -> None:
    assert type_table("no.such.") == "  ".join(HEADINGS)


def parts_of(output: str) -> dict[str, list[list[str]]]:
    """Return the words of the lines under each heading."""
    parts = {}
    for part in output.rstrip().split("\n\n"):
        heading, *lines = part.splitlines()
        parts[heading.removesuffix(":")] = [line.split() for line in lines]
    return parts


def test_the_command_prints_the_table() -> None:
    done = types()
    assert (done.returncode, done.stderr) == (0, "")
    parts = parts_of(done.stdout)
    assert list(parts) == ["types", "enums", "exceptions", "functions", "constants"]
    assert parts["types"][0] == HEADINGS
    lines = {line[1]: line for line in parts["types"][1:]}
    array = tain.type_info("ffi.Array")
    assert lines["ffi.Array"][:3] == [str(array.index), "ffi.Array", "ffi.Object"]
    assert lines["ffi.Object"][2] == "-"


def test_the_command_loads_libraries_first() -> None:
    library = find_bundled("tain_testing")
    done = types("testing.Poi", "--load", library)
    assert (done.returncode, done.stderr) == (0, "")
    head, point = parts_of(done.stdout)["types"]
    assert head == HEADINGS
    fields, methods = len(Point.__match_args__), len(tain.type_info(Point).methods)
    assert point[1:] == ["testing.Point", "ffi.Object", str(fields), str(methods), "0", "some"]


def test_enums_exceptions_functions_and_constants_are_listed() -> None:
    done = types("testing.")
    assert (done.returncode, done.stderr) == (0, "")
    parts = parts_of(done.stdout)
    color = tain.type_info("testing.Color")
    assert ["testing.Color", str(len(color.members)), "members"] in parts["enums"]
    functions = [[name] for name in tain.list_global_func_names() if name.startswith("testing.")]
    assert parts["functions"] == functions and ["testing.add_one"] in functions
    for kind, prefix in (("exceptions", "ffi.Error."), ("constants", "ffi.Constant.")):
        start = f"{prefix}testing."
        names = [name for name in _core.list_global_func_names() if name.startswith(start)]
        assert names or kind == "constants"
        assert parts[kind] == ([[name.removeprefix(prefix)] for name in names] or [["none"]])


def test_where_there_is_nothing_the_command_says_so() -> None:
    done = types("no.such.")
    assert (done.returncode, done.stderr) == (0, "")
    assert set(map(str, parts_of(done.stdout).values())) == {"[['none']]"}


def announced(folder: Path, namespace: str, code: str) -> dict[str, str]:
    """Install a package that announces a namespace; return the variables of a process with it."""
    (folder / f"{namespace}_package.py").write_text(code)
    info = folder / f"{namespace}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {namespace}\nVersion: 1.0\n")
    entry = f"[tain.types]\n{namespace} = {namespace}_package\n"
    (info / "entry_points.txt").write_text(entry)
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}


@pytest.mark.parametrize("prefix", ["", "sky", "sky.", "sky.S"])
def test_packages_are_found_by_what_they_announce(tmp_path: Path, prefix: str) -> None:
    code = 'import tain\n@tain.py_class("sky.Star")\nclass Star(tain.Object):\n    mass: float\n'
    announced(tmp_path, "broken", "1 / 0")
    env = announced(tmp_path, "sky", code)
    command = [sys.executable, "-m", "tain", "types", prefix]
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    lines = parts_of(done.stdout)["types"]
    assert [line[1:4] for line in lines if "sky.Star" in line] == [["sky.Star", "ffi.Object", "1"]]
    # One that cannot be loaded is reported, if it was asked for.
    error = "python -m tain types: broken: ZeroDivisionError: division by zero\n"
    assert (done.returncode, done.stderr) == ((0, "") if prefix else (1, error))


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{shlex.quote(sys.executable)} -m tain types | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("types:\n", "")


# What the script does that pip writes for the entry in pyproject.toml.
SCRIPT = (
    "import sys; sys.argv[0] = '/usr/bin/tain'; from tain.__main__ import main; sys.exit(main())"
)


@pytest.mark.parametrize(
    ("program", "command"), [("python -m tain", ("-m", "tain")), ("tain", ("-c", SCRIPT))]
)
def test_the_version(program: str, command: tuple[str, ...]) -> None:
    start = [sys.executable, *command]
    done = subprocess.run([*start, "--version"], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"tain {version()}\n", "")
    done = subprocess.run(start, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.startswith(f"usage: {program} [-h] [--version]")


def test_the_script_beside_the_module() -> None:
    project = Path(__file__).resolve().parents[3] / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    assert '[project.scripts]\ntain = "tain.__main__:main"\n' in text


@pytest.mark.bad_input
def test_the_command_refuses_what_is_no_library() -> None:
    done = types("--load", "/no/such/lib.so")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "python -m tain types: there is no file /no/such/lib.so\n"
