# SPDX-License-Identifier: Apache-2.0
"""What threads do at the same time without a GIL: the work of two over that of one.

Each thread has objects of its own. A contender is measured in a process of its own.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from processes import child, in_turn
from report import Line

THREADS = 2
# As `Row`s: name, setup of each thread with the contender `m`, the operation.
OPERATIONS: tuple[tuple[str, str, str], ...] = (
    ("add_one(1)", "f = m.add_one", "f(1)"),
    ("echo(str)", "f = m.echo_str; s = 'x' * 40", "f(s)"),
    ("echo(obj)", "f = m.echo_obj; p = m.Pair(1, 2)", "f(p)"),
    ("p.plus(3)", "p = m.Pair(1, 2)", "p.plus(3)"),
    ("p.a", "p = m.Pair(1, 2)", "p.a"),
    ("p.a = 3", "p = m.Pair(1, 2)", "p.a = 3"),
    ("p.child", "p = m.Fields(); child = p.child", "p.child"),
    ("p.text", "p = m.Fields(); p.text = 'x' * 40", "p.text"),
    ("Pair(1, 2)", "P = m.Pair", "P(1, 2)"),
    ("sum of an array of 1000", "a = m.make_array(1000)", "sum(a)"),
    ("a list of 1000 ints as an argument", "f = m.take_ints; v = list(range(1000))", "f(v)"),
)
# Those that nanobind does not have.
OF_TAIN: tuple[tuple[str, str, str], ...] = (
    (
        "save_binary of 1000 objects",
        "import tain; x = tain.Array([m.Pair(i, i) for i in range(1000)]); f = tain.save_binary",
        "f(x)",
    ),
)


def has_gil() -> bool:
    """Return whether a GIL lets one thread run at a time."""
    return getattr(sys, "_is_gil_enabled", lambda: True)()


def _loop(m: Any, setup: str, operation: str) -> Callable[[int], None]:
    made: dict[str, Any] = {"m": m}
    exec(f"{setup}\ndef loop(n):\n    for _ in range(n):\n        {operation}", made)
    return made["loop"]


def _seconds(make_loop: Callable[[], Callable[[int], None]], threads: int, turns: int) -> float:
    """Return how long loops take, each made and run in a thread of its own."""
    start = threading.Barrier(threads + 1)

    def run() -> None:
        # Made here, so that the objects belong to this thread, as those that a program makes do.
        loop = make_loop()
        start.wait()
        loop(turns)

    running = [threading.Thread(target=run) for _ in range(threads)]
    for thread in running:
        thread.start()
    start.wait()
    began = time.perf_counter()
    for thread in running:
        thread.join()
    return time.perf_counter() - began


def measure(m: Any, setup: str, operation: str, seconds: float) -> dict[str, float]:
    """Return the nanoseconds of one operation, and how often the work of one thread many do."""
    turns = 1
    make_loop = partial(_loop, m, setup, operation)
    while (took := _seconds(make_loop, 1, turns)) < seconds:
        turns = max(2 * turns, int(turns * seconds / took))
    tries = 3
    one, many = (
        min(_seconds(make_loop, count, turns) for _ in range(tries)) for count in (1, THREADS)
    )
    return {"ns": one / turns * 1e9, "times": THREADS * one / many}


def lines(names: list[str], quick: bool) -> list[Line]:
    """Return for each operation the time on one thread, and the work of two over that of one."""
    if has_gil():
        print("threads are left out: this Python has a GIL", file=sys.stderr)
        return []
    made = []
    for title, setup, operation in (*OPERATIONS, *OF_TAIN):
        jobs = {
            name: partial(
                child,
                "import json, contenders, threads\n"
                f"m = contenders.load({name!r})\n"
                f"made = threads.measure(m, {setup!r}, {operation!r}, {0.02 if quick else 0.2})\n"
                "assert not threads.has_gil()\n"
                "print(json.dumps(made))",
            )
            for name in names
            # the others switch the GIL on
            if name == "tain" or (name == "nanobind" and (title, setup, operation) in OPERATIONS)
        }
        figures = in_turn(jobs, 1 if quick else 3)
        best = {name: min(values) for name, values in figures["ns"].items()}
        times = {name: max(values) for name, values in figures["times"].items()}
        made.append(Line(title, "ns", best, group="threads"))
        made.append(Line(f"{title}: {THREADS} threads over one", "x", times, group="threads"))
    return made
