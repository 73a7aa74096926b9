# SPDX-License-Identifier: Apache-2.0
"""Compares both bindings of each port, and prints the tables of the README.

Lines are those of the binding's file, without blank lines and comments. Compile time is the user
time of compiler and linker, the best of some runs; the size is that of the stripped library. Import
is the time of a new process that imports the binding, less that of one that does not. Each call is
timed by turns with both bindings; `--instructions` counts the instructions of a call with
callgrind instead, which is exact where time is noisy.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import ports  # noqa: E402

UNROLL = 5  # statements in a turn of the loop


@dataclass(frozen=True)
class Call:
    """A call to be timed: `m` is the module; `count` operations are in one statement."""

    port: str
    name: str
    setup: str
    statement: str
    count: int = 1


_INDEX = """
import numpy as np
data = np.random.default_rng(0).random((200, 16), dtype=np.float32)
index = m.Index(m.L2Space(16), 200)
index.add_items(data, threads=1)
query, vector, one = index.query, index.vector, data[:1]
doubles = one.astype(np.float64)
"""
_WORLD = """
world = m.World(m.Vec2(0, 0))
definition = m.BodyDef()
definition.type = m.BodyType.DYNAMIC
shape = m.CircleShape()
shape.radius = 0.25
bodies = []
for i in range(100):
    definition.position = m.Vec2(i, 0)
    bodies.append(world.CreateBody(definition))
    bodies[-1].CreateFixture(shape, 1.0)
fixtures = [body.GetFixtureList() for body in bodies]
body, fixture, Vec2 = bodies[0], fixtures[0], m.Vec2
vec, other, position = Vec2(1, 2), Vec2(3, 4), body.GetPosition()
class Query(m.QueryCallback):
    def ReportFixture(self, fixture):
        return True
class Filter(m.ContactFilter):
    def ShouldCollide(self, a, b):
        return True
query, area = Query(), m.AABB(m.Vec2(-9, -9), m.Vec2(999, 9))
"""
_DOCUMENT = """
document = m.parse('number = 5\\ntext = "abc"\\nlist = [1, 2, 3]\\n[table]\\nkey = 1\\n')
table, array, Table = document["table"], document["list"], m.Table
size, key = len, "number"
"""
CALLS = [
    Call("hnsw", "a query of one row", _INDEX, "query(one, 3, 1)"),
    Call("hnsw", "the same, of float64", _INDEX, "query(doubles, 3, 1)"),
    Call("hnsw", "a view of a vector", _INDEX, "vector(7)"),
    Call("hnsw", "a property", _INDEX, "index.element_count"),
    Call("box2d", "construct a vector", _WORLD, "Vec2(1.0, 2.0)"),
    Call("box2d", "add two vectors", _WORLD, "vec + other"),
    Call("box2d", "read a field", _WORLD, "vec.x"),
    Call("box2d", "a reference that is known", _WORLD, "body.GetPosition()"),
    Call("box2d", "a new reference", _WORLD + "position = None", "body.GetPosition()"),
    Call("box2d", "the body of a fixture", _WORLD, "fixture.GetBody()"),
    Call("box2d", "a method that takes a vector", _WORLD, "body.SetLinearVelocity(vec)"),
    Call("box2d", "a number of a method", _WORLD, "body.GetAngle()"),
    Call("box2d", "an override that C++ calls", _WORLD, "world.QueryAABB(query, area)", 100),
    Call("toml", "an item that is a number", _DOCUMENT, "document[key]"),
    Call("toml", "an item that is text", _DOCUMENT, 'document["text"]'),
    Call("toml", "a table that is known", _DOCUMENT, 'document["table"]'),
    Call("toml", "a new table", _DOCUMENT + "table = None", 'document["table"]'),
    Call("toml", "an element by shared_ptr", _DOCUMENT, 'document.element("text")'),
    Call("toml", "store a number", _DOCUMENT, 'document["number"] = 6'),
    Call("toml", "store a table", _DOCUMENT, 'document["table"] = table'),
    Call("toml", "construct a table", _DOCUMENT, "Table()"),
    Call("toml", "an element of an array", _DOCUMENT, "array[1]"),
]  # fmt: skip

_LOOP = """
def make(m):
{setup}
    def loop(n):
        start = timer()
        for _ in repeat(None, n):
{body}
        return timer() - start
    loop.keep = locals()
    return loop
"""


def loop_of(call: Call, module: Any) -> Callable[[int], float]:
    """Return a function that makes the call n * 5 times and returns the seconds."""
    setup = "\n".join("    " + line for line in call.setup.splitlines())
    body = "\n".join([f"            {call.statement}"] * UNROLL)
    scope: dict[str, Any] = {"repeat": repeat, "timer": time.perf_counter}
    exec(_LOOP.format(setup=setup, body=body), scope)
    made: Callable[[int], float] = scope["make"](module)
    return made


def timed(call: Call, modules: Sequence[Any], runs: int, seconds: float) -> list[float]:
    """Return nanoseconds of the call with each module: the best of the runs."""
    loops = [loop_of(call, module) for module in modules]
    counts = []
    for loop in loops:
        n = 1
        while (spent := loop(n)) < seconds / 4:
            n *= 4
        counts.append(max(1, int(n * seconds / spent)))
    best = [float("inf")] * len(loops)
    for _ in range(runs):
        for i, loop in enumerate(loops):
            best[i] = min(best[i], loop(counts[i]) / counts[i])
    return [value / UNROLL / call.count * 1e9 for value in best]


def lines_of(source: Path) -> int:
    """Return how many lines of code a file has."""
    text = source.read_text(encoding="utf-8")
    return len([line for line in text.splitlines() if not re.match(r"\s*(//|$)", line)])


def stripped_size(library: Path) -> int:
    """Return the bytes of a library without its symbols."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(library, folder)
        ports.run("strip", copy)
        return Path(copy).stat().st_size


def compile_seconds(port: ports.Port, tool: str, folder: Path, runs: int) -> float:
    """Return the best time of building one binding; its build folder is configured."""
    target = port.target if tool == "tain" else port.module
    best = float("inf")
    for _ in range(runs):
        port.sources[tool].touch()
        best = min(best, ports.build(folder, target))
    return best


def prepare(port: ports.Port, folder: Path) -> list[Any]:
    """Build both bindings of a port and return their modules."""
    ports.configure(port, folder, cached=False)
    ports.build(folder, *port.needs, port.target, port.module)
    return [ports.load(port, tool, folder) for tool in ("tain", port.other)]


def import_seconds(port: ports.Port, folder: Path, runs: int) -> list[float]:
    """Return the time that importing each binding adds to a new process, the median of the runs.

    A process is measured until it has ended. `-I` and the path leave out what the environment of a
    user adds to the start of Python.
    """
    paths = [str(ports.library(port, tool, folder)) for tool in ("tain", port.other)]
    ready = f"import sys; sys.path[:] = {sys.path!r}; "
    programs = [
        ready + "pass",
        ready + f"import tain; tain.load_library({paths[0]!r}); import tain.types.{port.name}",
        ready + f"sys.path.insert(0, {str(folder)!r}); import {port.module}",
    ]
    times: list[list[float]] = [[] for _ in programs]
    for _ in range(8 * runs):
        for program, spent in zip(programs, times, strict=True):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-I", "-c", program], check=True)
            spent.append(time.perf_counter() - start)
    without, *others = map(statistics.median, times)
    return [other - without for other in others]


def ratio(ours: float, other: float) -> str:
    """Return what one costs in terms of the other."""
    return f"{ours / other:.2f}"


def size_table(folder: Path, runs: int) -> str:
    """Return the table of lines, compile times and sizes."""
    rows = [
        "| port | beside | lines | compile, s | stripped, kB | import, ms |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for port in ports.PORTS.values():
        imports = import_seconds(port, folder / port.name, runs)
        lines, seconds, sizes = [], [], []
        for tool in ("tain", port.other):
            lines.append(lines_of(port.sources[tool]))
            seconds.append(compile_seconds(port, tool, folder / port.name, runs))
            sizes.append(stripped_size(ports.library(port, tool, folder / port.name)) / 1000)
        cells = [
            f"{lines[0]} / {lines[1]}",
            f"{seconds[0]:.1f} / {seconds[1]:.1f}",
            f"{sizes[0]:.0f} / {sizes[1]:.0f}",
            f"{imports[0] * 1e3:.1f} / {imports[1] * 1e3:.1f}",
        ]
        rows.append(f"| {port.name} | {port.other} | {' | '.join(cells)} |")
    return "\n".join(rows)


def call_table(costs: dict[Call, list[float]], unit: str) -> str:
    """Return the table of what calls cost."""
    rows = [f"| port | call | tain, {unit} | other, {unit} | ratio |", "|---|---|--:|--:|--:|"]
    for call, (ours, other) in costs.items():
        cells = [call.port, call.name, f"{ours:.0f}", f"{other:.0f}", ratio(ours, other)]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


# ---------------------------------------------------------------- instructions

TURNS = (20, 220)  # two lengths of the loop: their difference is free of what stands around it


def marks() -> Any:
    """Return the module that tells callgrind where a loop begins and ends."""
    sys.path.insert(0, str(HERE.parents[1] / "benchmarks"))
    import building

    return building.load_module(
        building.build(building.EXT / "callgrind_marks.c", building.toolkit("c"))
    )


def count_here(folder: Path, names: list[str]) -> None:
    """Make the calls under callgrind, with a mark around each loop."""
    mark = marks()
    mark.dump("warm")  # what the first dump resolves must not be counted
    for name in names:
        port = ports.PORTS[name]
        for tool in ("tain", port.other):
            module = ports.load(port, tool, folder / name)
            for i, call in enumerate(CALLS):
                if call.port != name:
                    continue
                loop = loop_of(call, module)
                loop(100)
                for turns in TURNS:
                    mark.zero()
                    loop(turns)
                    mark.dump(f"{i}/{tool == 'tain'}/{turns}")


def counted(folder: Path, names: list[str]) -> dict[Call, list[float]]:
    """Return the instructions of each call with both bindings."""
    marks()  # compiled outside of callgrind
    totals: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as output:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}/out"]
        program = [sys.executable, __file__, "--count-here", str(folder), *names]
        done = subprocess.run([*command, *program], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        for path in Path(output).iterdir():
            text = path.read_text(errors="replace")
            trigger = re.search(r"^desc: Trigger: Client Request: (\S+)", text, re.MULTILINE)
            total = re.search(r"^totals: (\d+)", text, re.MULTILINE)
            if trigger and total:
                totals[trigger[1]] = int(total[1])
    costs = {}
    for i, call in enumerate(CALLS):
        if call.port in names:
            turns = (TURNS[1] - TURNS[0]) * UNROLL * call.count
            costs[call] = [
                (totals[f"{i}/{ours}/{TURNS[1]}"] - totals[f"{i}/{ours}/{TURNS[0]}"]) / turns
                for ours in (True, False)
            ]
    return costs


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="of ports; all without")
    parser.add_argument("--folder", type=Path, help="where to build, for the next run too")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.05, help="of one run of a call")
    parser.add_argument("--instructions", action="store_true", help="count them, with callgrind")
    parser.add_argument("--calls-only", action="store_true", help="no compile times, no sizes")
    parser.add_argument("--count-here", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = options.names or list(ports.PORTS)
    if options.count_here is not None:
        return count_here(options.count_here, names)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        modules = {name: prepare(ports.PORTS[name], folder / name) for name in names}
        if not options.calls_only:
            print(size_table(folder, options.runs), end="\n\n")
        if options.instructions:
            print(call_table(counted(folder, names), "instructions"))
        else:
            costs = {
                call: timed(call, modules[call.port], options.runs, options.seconds)
                for call in CALLS
                if call.port in names
            }
            print(call_table(costs, "ns"))


if __name__ == "__main__":
    main()
