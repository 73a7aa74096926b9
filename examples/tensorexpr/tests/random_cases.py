# SPDX-License-Identifier: Apache-2.0
"""Cases that run in processes of their own: their numbers, guards, limits and reports."""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "2")

import numpy as np
import tensorexpr
from tensorexpr import driver

SEED = int(os.environ.get("TENSOREXPR_SEED", "20240229"))
CASES = int(os.environ.get("TENSOREXPR_CASES", "160"))  # of expressions, and of schedules

# What is known to be wrong and is therefore not made here: a name for each construct, which what
# makes cases looks up, with a line here that says what goes wrong. Take both out once it is mended.
KNOWN_BAD: frozenset[str] = frozenset()

SCRIPT = str(Path(__file__).resolve().with_name("test_random_programs.py"))  # runs a batch
BATCH = 20  # cases in one program of C
SECONDS = 240  # for a batch
MEMORY = 8 << 30  # bytes that a batch may have
TRAPS = ("-fsanitize=undefined", "-fno-sanitize=float-divide-by-zero")
TRAP = "-fsanitize-undefined-trap-on-error"
GUARD = 0xA5


@dataclass
class Case:
    """A program with its inputs and what it has to return."""

    index: int
    text: str  # what it is, to be printed
    function: Any = None
    inputs: list[np.ndarray] = field(default_factory=list)
    expected: list[np.ndarray] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)  # arguments after the arrays
    exact: bool = True
    valid: Any = None  # of an expression: the rows whose result is known
    failure: str | None = None


def guarded(rng: random.Random, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, slice]:
    """Return a copy of an array with guards around it, the memory with them, and its place."""
    size = values.dtype.itemsize
    before = 64 + size * rng.randrange(8)  # no more aligned than the type needs
    memory = np.full(before + values.nbytes + 128, GUARD, np.uint8)
    place = slice(before, before + values.nbytes)
    array = memory[place].view(values.dtype).reshape(values.shape)
    array[...] = values
    return array, memory, place


def difference(case: Case, function: Any) -> str | None:
    """Run the program of a case; return what is wrong."""
    rng = random.Random(case.index)
    blank = [np.full_like(one, 77 if one.dtype != bool else True) for one in case.expected]
    held = [guarded(rng, one) for one in (*case.inputs, *blank)]
    function(*(array for array, _, _ in held), *case.numbers)
    for k, (_, memory, place) in enumerate(held):
        if (memory[: place.start] != GUARD).any() or (memory[place.stop :] != GUARD).any():
            return f"the program wrote outside of array {k}"
    for k, one in enumerate(case.inputs):
        if held[k][0].tobytes() != one.tobytes():
            return f"the program changed its input {k}"
    for k, expected in enumerate(case.expected):
        got = held[len(case.inputs) + k][0]
        if case.valid is not None:
            got, expected = got[case.valid], expected[case.valid]
        close = {"rtol": 0, "atol": 0} if case.exact else {"rtol": 1e-5, "atol": 1e-6}
        equal_nan = expected.dtype.kind == "f"
        wrong = ~np.isclose(got, expected, **close, equal_nan=equal_nan)
        if expected.dtype.kind in "iub":
            wrong = got != expected
        if wrong.any():
            at = tuple(int(one[0]) for one in np.nonzero(wrong))
            return (
                f"result {k}: {int(wrong.sum())} of {wrong.size} are wrong, the first at {at}: "
                f"got {got[at]!r}, expected {expected[at]!r}"
            )
    return None


def run_batch(make: Callable[[int], Case], first: int, count: int, traps: bool) -> None:
    """Run cases; print each failure as a line of JSON."""

    def failed(case: Case, what: str) -> None:
        print("FAIL " + json.dumps([case.index, case.text, what]), flush=True)

    if traps:
        # The address of an element is that of the array and more: no vector of it is aligned.
        driver._CFLAGS = [*driver._CFLAGS, *TRAPS, TRAP]
    cases = []
    for index in range(first, first + count):
        print(f"MAKE {index}", flush=True)
        try:
            case = make(index)
        except Exception as error:
            failed(Case(index, "(while it was made)"), f"{type(error).__name__}: {error}")
            continue
        if case.failure:
            failed(case, case.failure)
        if case.function is not None:
            cases.append(case)

    def build(some: list[Case]) -> list[tuple[Any, list[Case]]]:
        """Return the modules of cases; halve what cannot be built, to find the case."""
        try:
            module = tensorexpr.IRModule({f"f{one.index}": one.function for one in some})
            return [(tensorexpr.build(module), some)]
        except Exception as error:
            if len(some) == 1:
                failed(some[0], f"{type(error).__name__}: {error}")
                return []
            half = len(some) // 2
            return build(some[:half]) + build(some[half:])

    print("BUILD", flush=True)
    modules = build(cases) if cases else []
    for module, some in modules:
        for case in some:
            print(f"RUN {case.index}", flush=True)
            try:
                wrong = difference(case, module[f"f{case.index}"])
            except Exception as error:
                wrong = f"{type(error).__name__}: {error}"
            if wrong:
                failed(case, wrong)
    print("DONE", flush=True)


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def problems_of(kind: str, first: int, count: int, traps: bool) -> list[str]:
    """Run cases in a process of its own; return descriptions of what went wrong."""
    command = [sys.executable, SCRIPT, kind, str(first), str(count), str(int(traps))]
    environment = {**os.environ, "TENSOREXPR_SEED": str(SEED)}

    def report(index: Any, text: str, what: str) -> str:
        again = f"TENSOREXPR_SEED={SEED} python {SCRIPT} {kind} {index} 1 {int(traps)}"
        return f"{kind} {index} (again: {again})\n {text}\n => {what}"

    with tempfile.TemporaryFile("w+") as out:
        try:
            status: Any = subprocess.run(
                command, stdout=out, stderr=subprocess.STDOUT, timeout=SECONDS,
                preexec_fn=limit, env=environment, check=False,
            ).returncode  # fmt: skip
        except subprocess.TimeoutExpired:
            status = f"no end after {SECONDS} seconds"
        out.seek(0)
        lines = out.read().splitlines()
    problems = [report(*json.loads(one[5:])) for one in lines if one.startswith("FAIL ")]
    if status == 0 and lines and lines[-1] == "DONE":
        return problems
    last = [one for one in lines if one.startswith(("MAKE ", "BUILD", "RUN "))]
    where = last[-1] if last else "nowhere"
    index = where.split()[1] if " " in where else f"{first}..{first + count - 1}"
    if where.startswith("RUN ") and count > 1:
        # The rest has not been run yet.
        problems += problems_of(kind, int(index), 1, traps)
        position = int(index) + 1
        return problems + problems_of(kind, position, first + count - position, traps)
    text = describe(kind, int(index)) if index.isdigit() else ""
    tail = "\n ".join(lines[-15:])
    return [*problems, report(index, text, f"ended with {status} at {where}:\n {tail}")]


def describe(kind: str, index: int) -> str:
    """Return what a case is."""
    command = [sys.executable, SCRIPT, "describe", kind, str(index)]
    environment = {**os.environ, "TENSOREXPR_SEED": str(SEED)}
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, env=environment, check=False
    ).stdout
