# SPDX-License-Identifier: Apache-2.0
"""gdb and lldb show tain's values, by the file that ``python -m tain config --debugger`` names."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tain import libinfo

pytestmark = pytest.mark.slow  # compiles a program, and needs debuggers

PROGRAM = r"""
#include <tain/tain.h>
struct ShapeObj : tain::Object {
  tain::String name;
  double size;
  ShapeObj(tain::String name, double size) : name(name), size(size) {}
  virtual ~ShapeObj() = default;
  TAIN_OBJECT("debugged.Shape", ShapeObj, tain::Object);
};
struct SquareObj : ShapeObj {
  int64_t corners = 4;
  explicit SquareObj(double size) : ShapeObj("a square of some length", size) {}
  TAIN_OBJECT("debugged.Square", SquareObj, ShapeObj);
};
__attribute__((noinline)) void Stop() { asm volatile(""); }
int main() {
  tain::Any none, number = -42, real = 2.5, flag = true, text = tain::String("small"), list;
  tain::String small = "a\"b\n", big = "a text that is long enough for the heap";
  tain::Bytes bytes("\1\2", 2);
  tain::Array<int64_t> array = {1, 2, 3};
  tain::List<tain::String> names = {"x", "a name that does not fit in a cell"};
  tain::Map<tain::String, tain::Any> map = {{"k", 1}, {"other", array}};
  tain::Dict<int64_t, double> dict;
  for (int64_t i = 0; i < 30; ++i) dict.Set(i, i / 2.0);
  dict.erase(0);
  list = names;
  tain::List<tain::Any> cycle;
  cycle.push_back(cycle);
  tain::Ref<ShapeObj> shape = tain::make_object<SquareObj>(1.5);
  tain::Ptr<ShapeObj> nothing;
  tain::Optional<tain::String> missing, given = tain::String("yes");
  tain::Optional<int64_t> count = 7;
  tain::Shape extents{2, 3};
  Stop();
  cycle.clear();
  return 0;
}
"""
# What is shown in both.
VALUES = {
    "none": "None",
    "number": "-42",
    "real": "2.5",
    "flag": "True",
    "text": '"small"',
    "list": '["x", "a name that does not fit in a cell"]',
    "small": r'"a\"b\n"',
    "big": '"a text that is long enough for the heap"',
    "bytes": r"b'\x01\x02'",
    "array": "[1, 2, 3]",
    "names": '["x", "a name that does not fit in a cell"]',
    "map": '{"k": 1, "other": [1, 2, 3]}',
    "dict": f"{{{', '.join(f'{i}: {i / 2}' for i in range(1, 21))}, ... (29 in all)}}",
    "cycle": "[[[[[...]]]]]",
    "nothing": "null",
    "extents": "(2, 3)",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("debugged")
    (folder / "debugged.cc").write_text(PROGRAM)
    command = ["g++", *libinfo.cxxflags(), "-g", "-O0", "debugged.cc", *libinfo.libs()]
    subprocess.run([*command, "-o", "debugged"], cwd=folder, check=True)
    return str(folder / "debugged")


def shown_by(program: str, *command: str) -> str:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run([*command, program], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_gdb_shows_values(program: str) -> None:
    commands = (f"source {libinfo.debugger_script()}", "break Stop", "run", "up", "info locals")
    options = [word for command in commands for word in ("-ex", command)]
    shown = shown_by(program, "gdb", "-nx", "-batch", *options)
    lines = dict(re.findall(r"^(\w+) = (.*)$", shown, re.M))
    assert {name: lines.get(name) for name in VALUES} == VALUES, shown
    assert (lines["missing"], lines["given"]) == ("nullopt", '"yes"')
    assert "= 7" in lines["count"]
    # The members of the class that the object has, not of the one that the handle names.
    assert re.match(r"object of type \d+ at 0x[0-9a-f]+, 1 references = ", lines["shape"])
    assert 'name = "a square of some length", size = 1.5' in lines["shape"]
    assert "corners = 4" in lines["shape"]


def test_lldb_shows_values(program: str) -> None:
    script = f"command script import {libinfo.debugger_script()}"
    commands = (script, "breakpoint set --name Stop", "run", "up", "frame variable")
    options = [word for command in commands for word in ("-o", command)]
    debugger = next((name for name in ("lldb", "lldb-19") if shutil.which(name)), "lldb")
    shown = shown_by(program, debugger, "--batch", "--no-lldbinit", *options)
    lines = dict(re.findall(r"^\([^=]*\) (\w+) = (.*?)(?: \{)?$", shown, re.M))
    assert {name: lines.get(name) for name in VALUES} == VALUES, shown


def test_memory_that_cannot_be_read(tmp_path: Path) -> None:
    """Values that are broken are shown as such; the debugger goes on."""
    names: dict[str, object] = {"__name__": "printers"}
    exec(Path(libinfo.debugger_script()).read_text(encoding="utf-8"), names)

    def read(address: int, size: int) -> bytes:
        raise ValueError(f"no memory at {address}")

    memory = names["_Memory"](read)  # type: ignore[operator]
    assert memory.object(0) == "null"
    assert memory.object(0x1000) == "0x1000 <unreadable>"
    assert memory.any(b"\x47\0\0\0" + bytes(4) + b"\x10" + bytes(7)) == "0x10 <unreadable>"
