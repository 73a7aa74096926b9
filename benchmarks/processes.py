# SPDX-License-Identifier: Apache-2.0
"""Rows that need processes of their own: import, memory, compile time, registration."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import building
import generated
from contenders import NAMES

HERE = Path(__file__).resolve().parent
MANY = 10_000  # types in the table when importing

_IMPORT = {
    "tain": "import tain",
    "nanobind": "import bench_nanobind",
    "pybind11": "import bench_pybind11",
    "tvm": "import tvm_ffi",
    "c": "import bench_c",
}


def child(code: str, *paths: Path) -> float:
    """Run code in a new interpreter and return the number it prints."""
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
        raise RuntimeError(result.stderr)
    return float(result.stdout.split()[-1])


def _best(jobs: dict[str, Callable[[], float]], runs: int) -> dict[str, list[float]]:
    """Run all jobs in turn, `runs` times; their results by name."""
    values: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(runs):
        for name, job in jobs.items():
            values[name].append(job())
    return values


def _extension_folder(name: str) -> list[Path]:
    if name in ("tain", "tvm"):
        return []
    (source,) = building.EXT.glob(f"bench_{name}.c*")
    return [building.build(source, building.toolkit(name)).parent]


def import_time(names: list[str], runs: int) -> dict[str, list[float]]:
    """Milliseconds that an import takes in an interpreter that has started."""
    code = (
        "import time; start = time.perf_counter(); {}; print((time.perf_counter() - start) * 1e3)"
    )
    jobs = {}
    for name in names:
        folders = _extension_folder(name)
        jobs[name] = lambda name=name, folders=folders: child(code.format(_IMPORT[name]), *folders)
    return _best(jobs, runs)


def many_types(runs: int) -> dict[str, list[float]]:
    """Milliseconds: import with the types registered; import without them; first use of one."""
    library = building.build(building.EXT / "many_types.cc", building.toolkit("tain"), module=False)
    core = next(flag[2:] for flag in building.toolkit("tain").ldflags if flag.startswith("-L"))
    libraries = (f"{core}/libtain.so", str(library))
    load = "import ctypes, time;" + "".join(f"ctypes.CDLL({path!r});" for path in libraries)
    timed = "start = time.perf_counter(); {}; print((time.perf_counter() - start) * 1e3)"
    return _best(
        {
            "with": lambda: child(load + timed.format("import tain")),
            "without": lambda: child("import ctypes, time;" + timed.format("import tain")),
            "first": lambda: child(
                load + "import tain;" + timed.format(f"tain.get_class('many.T{MANY // 2}')()")
            ),
        },
        runs,
    )


def memory(names: list[str], count: int = 200_000) -> dict[str, float]:
    """Bytes of resident memory for one Pair, made by Python."""
    code = (
        "import contenders\n"
        f"make = contenders.load({{name!r}}).Pair; held = [None] * {count}\n"
        "def rss():\n"
        "    with open('/proc/self/statm') as file:\n"
        "        return int(file.read().split()[1]) * 4096\n"
        "make(1, 2)\n"
        "before = rss()\n"
        f"for i in range({count}): held[i] = make(1, 2)\n"
        f"print((rss() - before) / {count})"
    )
    if not Path("/proc/self/statm").exists():
        return {}
    return {name: child(code.format(name=name)) for name in names}


def compile_cost(names: list[str], runs: int) -> dict[str, dict[str, float]]:
    """Seconds and bytes of text and data for one file of 50 types x 5 fields x 5 methods."""
    jobs = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            source = generated.write(name, 50, 5, 5)
            kit = building.toolkit(name)
            flags = tuple(flag for flag in kit.cflags if flag != "-flto")
            plain = building.Toolkit(name, flags)
            target = Path(folder) / f"{name}.o"
            jobs[name] = lambda s=source, k=plain, t=target: building.compile_object(k, s, t)
        seconds = _best(jobs, runs)
        sizes = {name: _loaded_size(Path(folder) / f"{name}.o") for name in names}
    return {name: {"seconds": min(seconds[name]), "bytes": sizes[name]} for name in names}


def _loaded_size(path: Path) -> float:
    """Return the bytes of an object file that end in memory; all of it where `size` is missing."""
    try:
        out = subprocess.run(["size", str(path)], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return float(path.stat().st_size)
    text, data, bss = out.splitlines()[1].split()[:3]
    return float(int(text) + int(data) + int(bss))


def registration(names: list[str], runs: int) -> dict[str, list[float]]:
    """Microseconds to load a library of 100 types with 2 fields and 1 method, for one type."""
    package = {"tain": "tain", "tvm": "tvm_ffi"}
    code = (
        "import ctypes, time, {package}\n"
        "start = time.perf_counter(); ctypes.CDLL({path!r})\n"
        "print((time.perf_counter() - start) * 1e6 / 100)"
    )
    jobs = {}
    for name in names:
        if name not in package:
            continue
        library = building.build(
            generated.write(name, 100, 2, 1), building.toolkit(name), module=False
        )
        text = code.format(package=package[name], path=str(library))
        jobs[name] = lambda text=text: child(text)
    return _best(jobs, runs)


def available() -> list[str]:
    """Return the contenders that are installed."""
    found = []
    for name in NAMES:
        try:
            building.toolkit(name)
        except ImportError:
            continue
        found.append(name)
    return found
