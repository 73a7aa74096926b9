# SPDX-License-Identifier: Apache-2.0
"""Rows that need interpreters of their own: import, registration; and compile time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import building
import generated
from report import Line, summary

HERE = Path(__file__).resolve().parent
MANY = 10_000  # types in the table when importing
REGISTERED = 20  # types of the row for registration

_IMPORT = {
    "tain": "import tain",
    "nanobind": "import bench_nanobind",
    "pybind11": "import bench_pybind11",
    "tvm": "import tvm_ffi",
    "c": "import bench_c",
}
_PACKAGES = {"tain": "tain", "tvm": "tvm_ffi"}


def available(wanted: Iterable[str]) -> list[str]:
    """Return those of the contenders that are installed."""
    found = []
    for name in wanted:
        try:
            building.toolkit(name)
        except ImportError:
            continue
        found.append(name)
    return found


def importable(module: str) -> bool:
    """Return whether a module can be imported; it is not imported here."""
    command = [sys.executable, "-W", "ignore", "-c", f"import {module}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def child(code: str, *paths: Path) -> dict[str, float]:
    """Run code in a new interpreter and return what it prints last, a JSON object of numbers."""
    numbers: dict[str, float] = _printed(code, *paths)
    return numbers


def child_lines(code: str) -> list[Line]:
    """Run code in a new interpreter that prints rows last, see graphs_trees.show."""
    return [Line(**line) for line in _printed(code)]


def _printed(code: str, *paths: Path) -> Any:
    environment = dict(os.environ)
    given = environment.get("PYTHONPATH", "").split(os.pathsep)
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE), *map(str, paths), *given]))
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    if result.returncode != 0:
        raise RuntimeError(f"exit status {result.returncode}\n{result.stderr}")
    return json.loads(result.stdout.splitlines()[-1])


def in_turn(
    jobs: Mapping[str, Callable[[], dict[str, float]]], runs: int
) -> dict[str, dict[str, list[float]]]:
    """Run all jobs in turn, `runs` times; return for each figure the results by contender."""
    values: dict[str, dict[str, list[float]]] = {}
    for _ in range(runs):
        for name, job in jobs.items():
            for key, value in job().items():
                values.setdefault(key, {}).setdefault(name, []).append(value)
    return values


def _timed(statement: str, before: str = "") -> str:
    """Return code that prints the milliseconds of a statement."""
    return (
        f"import json, time\n{before}\nstart = time.perf_counter()\n{statement}\n"
        "print(json.dumps({'ms': (time.perf_counter() - start) * 1e3}))"
    )


# ---------------------------------------------------------------- import


def many_types(name: str) -> Path:
    """Return the library with ten thousand registered types, for tain or apache-tvm-ffi."""
    source = "many_types.cc" if name == "tain" else "many_types_tvm.cc"
    return building.build(building.EXT / source, building.toolkit(name), module=False)


def core_library(name: str) -> Path:
    """Return the library behind the Python package of tain or apache-tvm-ffi."""
    folder = next(flag[2:] for flag in building.toolkit(name).ldflags if flag.startswith("-L"))
    return Path(folder) / ("libtain.so" if name == "tain" else "libtvm_ffi.so")


def _import_jobs(names: list[str]) -> dict[str, Callable[[], dict[str, float]]]:
    jobs: dict[str, Callable[[], dict[str, float]]] = {}
    for name in names:
        folders = [] if name in _PACKAGES else [building.extension(name).parent]
        jobs[name] = partial(child, _timed(_IMPORT[name]), *folders)
    return jobs


def _use_one(name: str) -> tuple[str, str]:
    """Return what prepares the first use of one of many types, and what uses it."""
    key = f"many.T{MANY // 2}"
    if name == "tain":
        return "import tain", f"tain.get_class({key!r})()"
    return (
        "import tvm_ffi\nfrom tvm_ffi.dataclasses import c_class",
        f"c_class({key!r})(type('T', (tvm_ffi.Object,), {{}}))()",
    )


def _import_with_types(name: str) -> dict[str, float]:
    """Import with and without many types; the core is in memory before either."""
    core = f"import ctypes\nctypes.CDLL({str(core_library(name))!r})\n"
    loaded = f"{core}ctypes.CDLL({str(many_types(name))!r})\n"
    before, use = _use_one(name)
    return {
        "without": child(_timed(_IMPORT[name], core))["ms"],
        "with": child(_timed(_IMPORT[name], loaded))["ms"],
        "first": child(_timed(use, loaded + before))["ms"],
    }


def import_lines(names: list[str], quick: bool) -> list[Line]:
    """Return what an import costs in an interpreter that has started; with many types, too."""
    runs = 3 if quick else 9
    lines = [
        summary("import", "import", "ms", in_turn(_import_jobs(names), runs)["ms"]),
    ]
    jobs = {name: partial(_import_with_types, name) for name in names if name in _PACKAGES}
    figures = in_turn(jobs, runs)
    return lines + [
        summary("import", title, "ms", figures[key])
        for title, key in (
            ("import, library loaded before", "without"),
            (f"the same with {MANY} types registered", "with"),
            ("first use of one of them", "first"),
        )
        if key in figures
    ]


# ---------------------------------------------------------------- registration


def registered_types(name: str) -> Path:
    """Return a library of types with 2 fields and 1 method, for tain or apache-tvm-ffi."""
    source = generated.write(name, REGISTERED, 2, 1)
    kit = replace(building.toolkit(name), sources=(building.EXT / "clock.cc",))
    return building.build(source, kit, module=False)


def registration_lines(names: list[str], quick: bool) -> list[Line]:
    """Return what one type costs when its library is loaded: by its own clock, and altogether."""
    code = (
        "import ctypes, json, time, {package}\n"
        "start = time.perf_counter(); library = ctypes.CDLL({path!r})\n"
        "spent = (time.perf_counter() - start) * 1e6\n"
        "library.spent_us.restype = ctypes.c_double\n"
        "print(json.dumps({{'own': library.spent_us() / {types}, 'load': spent / {types}}}))"
    )
    jobs: dict[str, Callable[[], dict[str, float]]] = {}
    for name in names:
        if name in _PACKAGES:
            path = str(registered_types(name))
            text = code.format(package=_PACKAGES[name], path=path, types=REGISTERED)
            jobs[name] = partial(child, text)
    if not jobs:
        return []
    figures = in_turn(jobs, 5 if quick else 15)
    targets = {"tvm": 0.56}  # 1.5 us where apache-tvm-ffi takes 2.7
    return [
        summary("registration", "registration of a type", "us", figures["own"], targets),
        summary("registration", f"load a library of {REGISTERED}, a type", "us", figures["load"]),
    ]


# ---------------------------------------------------------------- compile


def _compiled(
    sources: Mapping[str, Path], runs: int, whole: bool = False
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Compile the file of each contender, in turn; return seconds, and KiB that are loaded.

    With `whole` the seconds count a contender's own sources too, which each project compiles once.
    """
    seconds: dict[str, list[float]] = {}
    sizes: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            for name, source in sources.items():
                kit = building.toolkit(name)
                plain = tuple(flag for flag in kit.cflags if flag != "-flto")
                target = Path(folder) / f"{name}.o"
                plain_kit = building.Toolkit(name, plain)
                spent = building.compile_object(plain_kit, source, target)
                sizes[name] = [_loaded_size(target) / 1024]
                for path in kit.sources if whole else ():
                    spent += building.compile_object(plain_kit, path, target)
                seconds.setdefault(name, []).append(spent)
    return seconds, sizes


def compile_lines(names: list[str], quick: bool) -> list[Line]:
    """Return the cost of 50 types x 5 fields x 5 methods, 9 of standard types, and a function."""
    runs = 1 if quick else 3
    many = {name: generated.write(name, 50, 5, 5) for name in names if name in generated.SOURCES}
    standard = {
        name: building.EXT / f"standard_types_{name}.cc"
        for name in names
        if (building.EXT / f"standard_types_{name}.cc").exists()
    }
    lines = []
    for title, sources, time_targets, size_targets in (
        ("50 types x 5 fields x 5 methods", many, {"nanobind": 0.5}, {"nanobind": 0.9}),
        ("9 types with members of standard types", standard, {"nanobind": 1.0}, {}),
    ):
        seconds, sizes = _compiled(sources, runs)
        lines.append(summary("compile", f"compile {title}", "s", seconds, time_targets))
        lines.append(summary("compile", f"code and data of {title}", "KiB", sizes, size_targets))
    one = {
        name: building.EXT / f"one_array_{name}.cc"
        for name in names
        if (building.EXT / f"one_array_{name}.cc").exists()
    }
    title = "compile one function of an array, nanobind with its own sources"
    seconds, _ = _compiled(one, runs, whole=True)
    lines.append(summary("compile", title, "s", seconds, {"nanobind": 1.0}))
    return lines


def _loaded_size(path: Path) -> float:
    """Return the bytes of an object file that end in memory; all of it where `size` is missing."""
    try:
        out = subprocess.run(["size", str(path)], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return float(path.stat().st_size)
    text, data, bss = out.splitlines()[1].split()[:3]
    return float(int(text) + int(data) + int(bss))
