#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures a library that was compiled for TVM FFI, on tain and on apache-tvm-ffi.

python benchmarks/tvm_clients.py [ROW ...] [--quick] [--instructions] [--json FILE]

tain, tain-tvm-ffi and apache-tvm-ffi must be importable, PyTorch may be. "shim" is the library on
tain through libtvm_ffi.so and the package `tvm_ffi` of tain-tvm-ffi, "tvm" the same file on
apache-tvm-ffi, and "tain" the same functions written with tain's headers. Each has interpreters of
its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import building  # noqa: E402
import instructions  # noqa: E402
import report  # noqa: E402
import timing  # noqa: E402
from rows import Row  # noqa: E402

WAYS = ("shim", "tvm", "tain")
FUNCTIONS = [
    *("arity0", "arity1", "arity3", "echo_str", "echo_object", "raises", "call_n", "call_by_c"),
    *("catch_n", "find_n", "make_objects", "make_strings", "append_n", "take_ints"),
    *("view", "three_views", "echo_tensor"),
]
_CATCH = "try:\n                f(1)\n            except ValueError:\n                pass"
_FIVE = "x = m.Pair(1, 2); p = m.Five(1, 2.0, True, 'text', x)"
_ARRAY = "x = m.Array(list(range(10)))"
_TORCH = "import torch; x = torch.zeros(4)"


def _rows() -> list[Row]:
    python = {
        "calls": (
            ("f()", "f = m.arity0", "f()"),
            ("f(1)", "f = m.arity1", "f(1)"),
            # Functions of other libraries release Python's lock by default, tain's own keep it.
            ("f(1), lock kept", "f = m.arity1; f.release_gil = False", "f(1)"),
            ("f(1), lock released", "f = m.arity1; f.release_gil = True", "f(1)"),
            ("f(1, 2, 3)", "f = m.arity3", "f(1, 2, 3)"),
            ("f(str)", "f = m.echo_str; x = 'hello'", "f(x)"),
            ("f(object)", "f = m.echo_object; x = m.Pair(1, 2)", "f(x)"),
            ("f raises ValueError", "f = m.raises", _CATCH),
            ("f(callback)", "f = m.call_n; g = lambda x: x", "f(g, 1)"),
        ),
        "objects": (
            ("Pair(1, 2)", "P = m.Pair", "P(1, 2)"),
            ("Own(1, 2), with __init__", "P = m.Own", "P(1, 2)"),
            ("Five(...)", f"{_FIVE}; P = m.Five", "P(1, 2.0, True, 'text', x)"),
            ("p.sum()", "p = m.Pair(1, 2)", "p.sum()"),
            *((f"p.{name}", _FIVE, f"p.{name}") for name in ("number", "text", "child")),
            *(
                (f"p.{name} = x", f"{_FIVE}; x = {value}", f"p.{name} = x")
                for name, value in (("number", "3"), ("text", "'text'"), ("child", "x"))
            ),
        ),
        "containers": (
            ("Array(list of 10)", "A = m.Array; x = list(range(10))", "A(x)"),
            ("f(list of 10)", "f = m.take_ints; x = list(range(10))", "f(x)"),
            ("f(array)", f"f = m.take_ints; {_ARRAY}", "f(x)"),
            ("array[5]", _ARRAY, "x[5]"),
            ("list(array of 10)", _ARRAY, "list(x)"),
            ("len(array)", _ARRAY, "len(x)"),
            ("map['b']", "x = m.Map({'a': 1, 'b': 2, 'c': 3})", "x['b']"),
            # One element stays: the loop must not grow it.
            ("list.append, list.pop", "x = m.List([1])", "x.append(2); x.pop()"),
        ),
        "arrays": (
            ("f(numpy array)", "import numpy; x = numpy.zeros(4, 'f'); f = m.view", "f(x)"),
            (
                "f(tensor)",
                "import numpy; x = m.from_dlpack(numpy.zeros(4, 'f')); f = m.view",
                "f(x)",
            ),
        ),
    }
    rows = [Row(group, *row) for group, made in python.items() for row in made]
    rows += [
        Row("inside C++", name, setup, call.format(n=n), count=n)
        for name, setup, call, n in (
            ("call by Function", "f = m.call_n; g = m.arity1", "f(g, {n})", 300),
            ("call by TVMFFIFunctionCall", "f = m.call_by_c; g = m.arity1", "f(g, {n})", 300),
            ("call that throws", "f = m.catch_n; g = m.raises", "f(g, {n})", 3),
            ("function found by name", "f = m.find_n", "f({n})", 300),
            ("object made and freed", "f = m.make_objects", "f({n})", 300),
            ("string of 24 made and freed", "f = m.make_strings", "f({n})", 300),
            ("Array::push_back", "f = m.append_n", "f({n})", 300),
        )
    ]
    return rows + [
        Row("arrays of PyTorch", *row, needs="torch")
        for row in (
            ("f(torch tensor)", f"{_TORCH}; f = m.view", "f(x)"),
            (
                "f(three torch tensors)",
                f"{_TORCH}; y = x.clone(); z = x.clone(); f = m.three_views",
                "f(x, y, z)",
            ),
            ("torch tensor there and back", f"{_TORCH}; f = m.echo_tensor", "f(x)"),
        )
    ]


ROWS = _rows()


# ---------------------------------------------------------------- in the interpreter of one way


def _load(way: str, library: str) -> SimpleNamespace:
    made: dict[str, Any] = {}
    if way == "tain":
        import tain as package

        package.load_library(library)
        made |= {name: package.get_class(f"clients.{name}") for name in ("Pair", "Five")}

        @package.register_object("clients.Own")
        class Own(package.Object):
            def __init__(self, a: int, b: int) -> None:
                super().__init__(a, b)

    else:
        import tvm_ffi as package
        from tvm_ffi.dataclasses import c_class

        package.load_module(library)
        for name in ("Pair", "Five"):
            body = {"__module__": __name__}
            made[name] = c_class(f"clients.{name}")(type(name, (package.Object,), body))

        @package.register_object("clients.Own")
        class Own(package.Object):
            def __init__(self, a: int, b: int) -> None:
                self.__ffi_init__(a, b)

    made["Own"] = Own
    made |= {name: package.get_global_func(f"clients.{name}") for name in FUNCTIONS}
    made |= {name: getattr(package, name) for name in ("Array", "List", "Map", "from_dlpack")}
    return SimpleNamespace(**made)


def _child(way: str, library: str, wanted: str, seconds: float) -> None:
    """Run the rows of one way; print nanoseconds, or mark them for callgrind if seconds is 0."""
    m = _load(way, library)
    if not seconds:
        instructions.begin()
    found = {}
    for index in map(int, wanted.split(",")):
        row = ROWS[index]
        loop = timing.compile_row(row, way, m)
        loop(1)
        if seconds:
            found[row.name] = timing.measure(row, {way: m}, 5, seconds)[way].best
        else:
            instructions.count_loop(loop, str(index))
    print(json.dumps(found))


# ---------------------------------------------------------------- in the process of the program


def _environment(way: str) -> dict[str, str]:
    environment = dict(os.environ)
    paths = [str(HERE), environment.get("PYTHONPATH", "")]
    if way == "shim":
        import tain_tvm_ffi

        paths.insert(0, str(tain_tvm_ffi.provided_dir()))
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    return environment


def _program(way: str, libraries: dict[str, Path], rows: list[Row], seconds: float) -> list[str]:
    wanted = ",".join(str(ROWS.index(row)) for row in rows)
    call = f"import tvm_clients as t; t._child({way!r}, {str(libraries[way])!r}, {wanted!r}, "
    return [sys.executable, "-W", "ignore", "-c", f"{call}{seconds})"]


def _timed(libraries: dict[str, Path], rows: list[Row], quick: bool) -> dict[str, dict[str, float]]:
    """Return the best of several interpreters of each way, which take turns."""
    best: dict[str, dict[str, float]] = {row.name: {} for row in rows}
    for _ in range(1 if quick else 5):
        for way in WAYS:
            program = _program(way, libraries, rows, 0.003 if quick else 0.01)
            done = subprocess.run(
                program, stdout=subprocess.PIPE, text=True, check=True, env=_environment(way)
            )
            for name, value in json.loads(done.stdout.splitlines()[-1]).items():
                best[name][way] = min(value, best[name].get(way, value))
    return best


def _counted(libraries: dict[str, Path], rows: list[Row]) -> dict[str, dict[str, float]]:
    """Return the instructions of each way."""
    found: dict[str, dict[str, float]] = {row.name: {} for row in rows}
    for way in WAYS:
        totals = instructions.run(_program(way, libraries, rows, 0), _environment(way))
        for row in rows:
            figure = instructions.of_one(totals, str(ROWS.index(row)), row.count)
            if figure is not None:
                found[row.name][way] = figure
    return found


def _ratio(values: dict[str, float], one: str, other: str) -> str:
    if one not in values or not values.get(other):
        return ""
    return f"{values[one] / values[other]:.2f}"


def _table(rows: list[Row], found: dict[str, dict[str, dict[str, float]]]) -> str:
    """Return the table for a page: for each unit the three costs, and two ratios."""
    head = ["operation"]
    for unit in found:
        head += [f"shim, {unit}", "tvm", "tain", "tvm / shim", "shim / tain"]
    lines = [head, ["---", *["--:"] * (len(head) - 1)]]
    for group in dict.fromkeys(row.group for row in rows):
        lines.append([f"**{group}**", *[""] * (len(head) - 1)])
        for row in (row for row in rows if row.group == group):
            cells = [f"`{row.name}`" if "(" in row.name or "." in row.name else row.name]
            for values in (figures[row.name] for figures in found.values()):
                cells += [f"{values[way]:.0f}" if way in values else "" for way in WAYS]
                cells += [_ratio(values, "tvm", "shim"), _ratio(values, "shim", "tain")]
            lines.append(cells)
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _importable(module: str, way: str) -> bool:
    program = [sys.executable, "-W", "ignore", "-c", f"import {module}"]
    done = subprocess.run(program, capture_output=True, check=False, env=_environment(way))
    return done.returncode == 0


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", help="parts of rows' names, or groups; all without")
    parser.add_argument("--quick", action="store_true", help="less exact")
    parser.add_argument("--instructions", action="store_true", help="count with callgrind, too")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    rows = [
        row
        for row in ROWS
        if not options.rows or any(w in row.name or w == row.group for w in options.rows)
    ]
    if not _importable("torch", "tain"):
        rows = [row for row in rows if row.needs != "torch"]
    client = building.build(building.EXT / "clients_tvm.cc", building.toolkit("tvm"), module=False)
    kit = building.toolkit("tain")
    own = building.build(building.EXT / "clients_tain.cc", kit, module=False)
    libraries = {"shim": client, "tvm": client, "tain": own}
    found = {"ns": _timed(libraries, rows, options.quick)}
    if options.instructions and instructions.possible():
        found["instructions"] = _counted(libraries, rows)
    print(f"{report.machine()}, load {os.getloadavg()[0]:.1f}\n")
    print(_table(rows, found))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
