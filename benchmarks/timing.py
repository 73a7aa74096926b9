# SPDX-License-Identifier: Apache-2.0
"""Timing of all contenders in one process, interleaved; instruction counts with callgrind."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from rows import Row

UNROLL = 5  # statements in one turn of the loop, so that the loop itself costs little

_TEMPLATE = """
def make(m):
{setup}
    def loop(n):
        start = timer()
        for _ in repeat(None, n):
{body}
        return timer() - start
    loop.keep = locals()  # what the setup made lives as long as the loop
    return loop
"""


@dataclass(frozen=True)
class Result:
    """Nanoseconds an operation: the best run, and how far the middle one lies above it."""

    best: float
    spread: float


def compile_row(row: Row, name: str, contender: SimpleNamespace) -> Callable[[int], float]:
    """Return a function that executes the row n * 5 times and returns the seconds."""
    from itertools import repeat

    lines = row.other.get(name, row.setup).splitlines()
    setup = "\n".join("    " + line for line in lines)
    body = "\n".join([f"            {row.stmts.get(name, row.stmt)}"] * UNROLL)
    scope: dict[str, Any] = {"repeat": repeat, "timer": time.perf_counter}
    exec(_TEMPLATE.format(setup=setup, body=body), scope)
    loop: Callable[[int], float] = scope["make"](contender)
    return loop


def loops_of(row: Row, contenders: dict[str, SimpleNamespace]) -> dict[str, Callable[[int], float]]:
    """Return the loops of the contenders that have what the row needs."""
    loops = {}
    for name, contender in contenders.items():
        try:
            loop = compile_row(row, name, contender)
        except AttributeError:  # `m` has no such function
            continue
        loop(1)
        loops[name] = loop
    return loops


def measure(
    row: Row, contenders: dict[str, SimpleNamespace], runs: int, seconds: float
) -> dict[str, Result]:
    """Time a row: `runs` turns, in each of which every contender runs for about `seconds`."""
    loops = loops_of(row, contenders)
    counts = {}
    for name, loop in loops.items():
        n = 1
        while (spent := loop(n)) < seconds / 4:
            n *= 4
        counts[name] = max(1, int(n * seconds / spent))
    times: dict[str, list[float]] = {name: [] for name in loops}
    enabled = gc.isenabled()
    gc.disable()
    try:
        for _ in range(runs):
            for name, loop in loops.items():
                per_turn = loop(counts[name]) / counts[name]
                times[name].append(per_turn / (UNROLL * row.count) * 1e9)
    finally:
        if enabled:
            gc.enable()
    return {name: _summary(values) for name, values in times.items()}


def _summary(values: list[float]) -> Result:
    ordered = sorted(values)
    best = ordered[0]
    return Result(best, ordered[len(ordered) // 2] / best - 1)
