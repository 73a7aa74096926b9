# SPDX-License-Identifier: Apache-2.0
"""Millions of objects, thousands of types: what one costs must not depend on how many there are.

The garbage collector runs as it does for users, because its passes are what could make an object
among many dearer than one among few. What is left of growth is the machine's: up to about 10^4
objects stay in the processor's caches, and from 10^6 on every page is touched for the first time.
The column of C shows how much of it nobody escapes.
"""

from __future__ import annotations

import contextlib
import gc
import json
import resource
import sys
import time
from functools import partial
from types import SimpleNamespace

import contenders
import memory
import processes
from report import Line, summary
from rows import SCALE

# Sizes measured in one process each. The largest of a process says how much memory one object
# takes, which what smaller ones left behind would falsify.
SMALL = (1_000, 10_000, 100_000)
BIG = (1_000_000, 10_000_000)
LIMIT = 4 << 30  # bytes of data that a process may have
TURNS = 100_000  # objects in all for the best of several turns


def _power(count: int) -> str:
    return f"10^{len(str(count)) - 1}"


# ---------------------------------------------------------------- in the child process


def _chain(m: SimpleNamespace, count: int) -> tuple[dict[str, float], int]:
    """Build, walk and free a chain; return the seconds of each, and the memory while it is there.

    Python holds only the end of the chain, so in C++ the other links are on their own.
    """
    make, walk = m.Node, m.walk
    before = memory.resident()
    start = time.perf_counter()
    node = None
    for i in range(count):
        node = make(i, node)
    built = time.perf_counter()
    used = memory.resident() - before
    total, link = 0, node
    measured = time.perf_counter()
    while link is not None:
        total += link.value
        link = link.next
    in_python = time.perf_counter()
    in_cpp = walk(node)
    walked = time.perf_counter()
    node = None
    freed = time.perf_counter()
    assert total == in_cpp == count * (count - 1) // 2
    seconds = {
        "build": built - start,
        "walk in Python": in_python - measured,
        "walk in C++": walked - in_python,
        "free": freed - walked,
    }
    return seconds, used


def _held(m: SimpleNamespace, count: int) -> tuple[dict[str, float], int]:
    """Build and free objects that a Python list holds, each with its wrapper."""
    make = m.Pair
    before = memory.resident()
    start = time.perf_counter()
    held = [make(i, i) for i in range(count)]
    built = time.perf_counter()
    used = memory.resident() - before
    measured = time.perf_counter()
    total = 0
    for pair in held:
        total += pair.a
    walked = time.perf_counter()
    assert total == count * (count - 1) // 2
    del pair
    held.clear()
    freed = time.perf_counter()
    seconds = {"build": built - start, "read": walked - measured, "free": freed - walked}
    return seconds, used


_KINDS = {"chain": _chain, "list": _held}


def main() -> None:
    """Run `scale.py KIND CONTENDER COUNT...`; print nanoseconds and bytes for one object."""
    kind, name, *counts = sys.argv[1:]
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))
    m = contenders.load(name)
    assert m is not None
    figures: dict[str, float] = {}
    for count in map(int, counts):
        _KINDS[kind](m, 100)
        gc.collect()
        for turn in range(max(1, TURNS // count)):
            seconds, used = _KINDS[kind](m, count)
            for phase, spent in seconds.items():
                key = f"{count} {phase}"
                figures[key] = min(figures.get(key, 1e9), spent / count * 1e9)
            if count in BIG and turn == 0:
                figures[f"{count} bytes"] = used / count
                figures[f"{count} peak"] = memory.peak() / 2**20
    print(json.dumps(figures))


# ---------------------------------------------------------------- in the process of run.py


def _run(kind: str, name: str, counts: tuple[int, ...]) -> dict[str, float]:
    """Return the figures of one process; none if it runs out of memory."""
    words = ["scale.py", kind, name, *map(str, counts)]
    try:
        return processes.child(f"import sys, scale\nsys.argv = {words!r}\nscale.main()")
    except RuntimeError as error:
        if name == "tain":
            raise
        last = str(error).splitlines()[-1]
        print(f"{name} is left out, {kind} of {max(counts)}: {last}", file=sys.stderr)
        return {}


def _objects(names: list[str], quick: bool) -> list[Line]:
    big = BIG[:1] if quick else BIG
    batches = [SMALL, *((count,) for count in big)]
    figures: dict[str, dict[str, list[float]]] = {}
    for kind in _KINDS:
        for batch in batches:
            runs = 1 if quick or max(batch) == BIG[-1] else 3
            jobs = {name: partial(_run, kind, name, batch) for name in names}
            for key, values in processes.in_turn(jobs, runs).items():
                figures[f"{kind} {key}"] = values
    made = []
    for kind, phases in SCALE.items():
        for phase in phases:
            for count in (*SMALL, *big):
                values = figures[f"{kind} {count} {phase}"]
                title = f"{kind} of {_power(count)}: {phase}"
                line = summary("scale", title, "ns", values)
                line.series, line.size = f"{kind}: {phase}", count
                made.append(line)
        if memory.measured():
            for count in big:
                title = f"{kind} of {_power(count)}"
                values = figures[f"{kind} {count} bytes"]
                made.append(summary("scale", f"{title}: memory of one", "bytes", values))
                values = figures[f"{kind} {count} peak"]
                made.append(summary("scale", f"{title}: peak of the process", "MiB", values))
    return made


# Each type is used once: its class is made, an object constructed, and the object's field read.
_USE = {
    "tain": (
        "import tain",
        "made.append(tain.get_class(f'many.T{i}')); total += made[-1]().x",
    ),
    "tvm": (
        "import tvm_ffi\nfrom tvm_ffi.dataclasses import c_class",
        "made.append(c_class(f'many.T{i}')(type(f'T{i}', (tvm_ffi.Object,), fields)))\n"
        "    total += made[-1]().x",
    ),
    "c": (
        "import contenders\nm = contenders.load('c')",
        "made.append(m.make_type(f'many.T{i}')); total += made[-1]().v",
    ),
}
_TYPES = """
import ctypes, json, sys, time, memory
{prepare}
library = {library!r}
registering = memory.resident()
start = time.perf_counter()
if library:
    ctypes.CDLL(library)
registered = time.perf_counter()
before = memory.resident()
made, total, fields = [], 0, {{'__annotations__': {{'x': int}}}}
using = time.perf_counter()
for i in range({count}):
    {use}
used = time.perf_counter()
assert total == {count}
figures = {{
    'use': (used - using) / {count} * 1e6, 'bytes': (memory.resident() - before) / {count}
}}
if library:
    figures['register'] = (registered - start) / {count} * 1e6
    figures['registered'] = (before - registering) / {count}
print(json.dumps(figures))
"""


def _types(names: list[str], quick: bool) -> list[Line]:
    """Return what 10,000 types cost that are all used; C makes as many heap types, the floor."""
    if not memory.measured():
        return []
    jobs = {}
    for name in names:
        if name in _USE:
            prepare, use = _USE[name]
            library = "" if name == "c" else str(processes.many_types(name))
            code = _TYPES.format(prepare=prepare, use=use, library=library, count=processes.MANY)
            jobs[name] = partial(processes.child, code)
    figures = processes.in_turn(jobs, 1 if quick else 3)
    title = f"{processes.MANY} types"
    return [
        summary("scale", f"{title}: {what}", unit, figures[key])
        for what, unit, key in (
            ("register one", "us", "register"),
            ("memory of one registered", "bytes", "registered"),
            ("class, object, field read", "us", "use"),
            ("memory of one used", "bytes", "bytes"),
        )
        if key in figures
    ]


def lines(names: list[str], quick: bool) -> list[Line]:
    """Return what objects cost from a thousand to ten million, and what ten thousand types cost."""
    return _objects(names, quick) + _types(names, quick)
