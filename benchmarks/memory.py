# SPDX-License-Identifier: Apache-2.0
"""Resident memory of objects and containers, wrappers included, each in a process of its own."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable
from functools import partial

from processes import child, in_turn
from report import Line, summary

COUNT = 100_000  # objects alive when memory is read
CONTAINERS = 1000  # containers of as many entries
PAGE = resource.getpagesize()

# Name, setup, what makes one, and into how many parts its memory is divided. An object is alive
# together with its Python wrapper. C has a str instead of a C++ string, and Python's own list and
# dict as containers.
KINDS: tuple[tuple[str, str, str, int], ...] = (
    ("Pair, two ints", "make = m.Pair", "make(i, i)", 1),
    (
        "instance of a subclass of Pair",
        "class S(m.Pair):\n    pass\nmake = S",
        "make(i, i)",
        1,
    ),
    ("the same with an attribute", "", "made(i)", 1),
    ("Text, str of 40", "make = m.Text", "make('%040d' % i)", 1),
    ("entry of an array of 1000 ints", "make = m.make_array", "make(1000)", 1000),
    ("entry of a map of 1000 str to int", "make = m.make_map", "make(1000)", 1000),
)
_ATTRIBUTE = """
class S(m.Pair):
    {slots}
def made(i):
    p = S(i, i)
    p.c = i
    return p
"""


def resident() -> int:
    """Return the bytes of this process that are in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * PAGE


def peak() -> int:
    """Return the most bytes of this process that were in memory at any time."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def measured() -> bool:
    """Return whether this system says how much of a process is in memory."""
    return os.path.exists("/proc/self/statm")


def _job(name: str, setup: str, stmt: str, parts: int) -> Callable[[], dict[str, float]]:
    count = COUNT if parts == 1 else CONTAINERS
    if not setup:
        slots = "__slots__ = ('__dict__',)" if name == "tvm" else "pass"
        setup = _ATTRIBUTE.format(slots=slots)
    code = (
        "import json, contenders, memory\n"
        f"m = contenders.load({name!r})\n{setup}\nheld = [None] * {count}\n"
        f"i = 1000; warm = {stmt}\n"
        "before = memory.resident()\n"
        f"for i in range(1000, {1000 + count}): held[i - 1000] = {stmt}\n"
        f"bytes = (memory.resident() - before) / {count * parts}\n"
        "print(json.dumps({'bytes': bytes}))"
    )
    return partial(child, code)


def lines(names: list[str], quick: bool) -> list[Line]:
    """Return bytes for one of each kind."""
    if not measured():
        print("memory is left out: there is no /proc/self/statm", file=sys.stderr)
        return []
    made = []
    for title, setup, stmt, parts in KINDS:
        jobs = {name: _job(name, setup, stmt, parts) for name in names}
        figures = in_turn(jobs, 1 if quick else 3)
        made.append(summary("memory", title, "bytes", figures["bytes"]))
    return made
