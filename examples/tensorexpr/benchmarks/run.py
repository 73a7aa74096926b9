# SPDX-License-Identifier: Apache-2.0
"""Measures tensorexpr against apache-tvm, and its generated code against numpy and plain C.

python examples/tensorexpr/benchmarks/run.py --tvm PYTHON   # a Python that has apache-tvm
python examples/tensorexpr/benchmarks/run.py --part code    # only the generated code

Each contender runs in processes of its own, in turns, and a crash or a row that takes too long ends
only that row. One Markdown table is printed: the best time of all rounds, and how many times faster
tensorexpr is, by the best times and by the middle ones.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import code_rows
import graphs

HERE = Path(__file__).resolve().parent
PATIENCE = 240  # seconds for one process: a row at all of its sizes


@dataclass
class Times:
    """What is known of one contender in one row at one size."""

    seconds: list[float] = field(default_factory=list)
    failed: str = ""  # why there is no time

    @property
    def best(self) -> float | None:
        return min(self.seconds, default=None)

    @property
    def middle(self) -> float | None:
        return statistics.median(self.seconds) if self.seconds else None

    def text(self) -> str:
        return self.failed or (shown(self.best) if self.best is not None else "-")


def shown(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def child(command: list[str], environment: dict[str, str]) -> tuple[list[dict[str, Any]], str]:
    """Run a process that prints JSON lines; return them, and how it failed if it did."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=False,
            env=environment,
            cwd=tempfile.gettempdir(),
        )
        out, failed = done.stdout, ""
        if done.returncode < 0:
            failed = f"crash ({signal.Signals(-done.returncode).name})"
        elif done.returncode > 0:
            lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
            failed = f"fails ({lines[-1][:60]})"
    except subprocess.TimeoutExpired as error:
        raw = error.stdout or b""
        out = raw.decode(errors="replace") if isinstance(raw, bytes) else raw
        failed = f"> {PATIENCE} s"
    lines = [line for line in out.splitlines() if line.startswith("{") and line.endswith("}")]
    return [json.loads(line) for line in lines], failed


def one_thread() -> dict[str, str]:
    counts = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "TVM_NUM_THREADS")
    return {**os.environ, **dict.fromkeys(counts, "1")}


# ---------------------------------------------------------------- graphs


class GraphRow:
    """A row of graphs.py with its times."""

    def __init__(self, title: str, sides: dict[str, str]) -> None:
        self.row, self.title, self.sides = graphs.ROWS[title], title, sides
        self.times = {(side, size): Times() for side in sides for size in self.row.sizes}
        self.results: dict[str, str] = {}

    def turn(self, environment: dict[str, str]) -> None:
        for side, python in self.sides.items():
            sizes = [s for s in self.row.sizes if not self.times[side, s].failed]
            if not sizes:
                continue
            command = [python, str(HERE / "graphs.py"), side, self.title, *map(str, sizes)]
            lines, failed = child(command, environment)
            for line in lines:
                times = self.times[side, line["size"]]
                times.seconds += line.get("seconds", [])
                if "skipped" in line:
                    times.failed = f"left out: {line['skipped']}"
                    say(f"{self.title}, {line['size']}: {side} {times.failed}")
                if line.get("result"):
                    self.results[side] = line["result"]
            if failed:
                missing = [s for s in sizes if s not in {line["size"] for line in lines}]
                for size in missing:
                    times = self.times[side, size]
                    times.failed = failed if size == missing[0] else "left out"
                    say(f"{self.title}, {size}: {side} {times.failed}")

    def check(self) -> None:
        if len(set(self.results.values())) > 1:
            say(f"{self.title}: the results differ:")
            for side, text in self.results.items():
                say(f"  {side}: {text[:200]}")

    def lines(self) -> Iterator[str]:
        for size in self.row.sizes:
            ours, theirs = self.times["tensorexpr", size], self.times.get(("tvm", size), Times())
            ratio = factor(ours.best, theirs.best)
            middle = factor(ours.middle, theirs.middle)
            what = f"{size:,} {self.row.unit}".strip().replace(",", " ")
            yield (
                f"| {self.title} | {what} | {ours.text()} | {theirs.text()} "
                f"| {times_text(ratio)} | {times_text(middle)} | {target(self.row.target, ratio)} |"
            )


def factor(ours: float | None, theirs: float | None) -> float | None:
    return theirs / ours if ours and theirs else None


def times_text(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.3g}x"


def target(wanted: float, ratio: float | None) -> str:
    if wanted == 0:
        return ""
    if ratio is None:
        return f"{wanted:.2g}x"
    return f"{wanted:.2g}x, " + ("met" if ratio >= wanted else "MISSED")


def graph_lines(tvm: str | None, rounds: int, only: str) -> list[str]:
    sides = {"tensorexpr": sys.executable}
    if tvm is None:
        say("apache-tvm is left out: give the path of a Python that has it with --tvm")
    else:
        sides["tvm"] = tvm
    rows = [GraphRow(title, sides) for title in graphs.ROWS if re.search(only, title)]
    environment = one_thread()
    for turn in range(rounds):
        for row in rows:
            say(f"round {turn + 1} of {rounds}: {row.title}")
            row.turn(environment)
    for row in rows:
        row.check()
    return [line for row in rows for line in row.lines()]


# ---------------------------------------------------------------- generated code


def code_lines(rounds: int, only: str) -> list[str]:
    """Return the rows of generated code; each contender of a row has its processes."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**one_thread(), "TAIN_CACHE_DIR": str(Path(cache) / "cache")}
        times: dict[tuple[str, str, str], Times] = {}
        rows = [row for row in code_rows.ROWS if re.search(only, row.title)]
        for turn in range(rounds):
            for row in rows:
                say(f"round {turn + 1} of {rounds}: {row.title} {row.size}")
                for who in row.contenders:
                    known = times.setdefault((row.title, row.size, who), Times())
                    if known.failed:
                        continue
                    script = str(HERE / "code_rows.py")
                    command = [sys.executable, script, row.title, row.size, who]
                    lines, known.failed = child(command, environment)
                    for line in lines:
                        known.seconds += line["seconds"]
                    if known.failed:
                        say(f"{row.title}: {who} {known.failed}")
    made = []
    for row in rows:
        ours = times[row.title, row.size, "tensorexpr"]
        if len(row.contenders) == 1:
            wanted = f"{row.target:g} s, " + (
                "met" if ours.best is not None and ours.best <= row.target else "MISSED"
            )
            made.append(f"| {row.title} | {row.size} | {ours.text()} | | | | {wanted} |")
        for who in list(row.contenders)[1:]:
            theirs = times[row.title, row.size, who]
            ratio = factor(ours.best, theirs.best)
            middle = factor(ours.middle, theirs.middle)
            made.append(
                f"| {row.title} | {row.size} | {ours.text()} | {who}: {theirs.text()} "
                f"| {times_text(ratio)} | {times_text(middle)} | "
                f"{target(row.contenders[who], ratio)} |"
            )
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tvm", metavar="PYTHON", help="a Python that has apache-tvm")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--part", choices=("graphs", "code", "all"), default="all")
    parser.add_argument("--only", default="", metavar="REGEX", help="rows whose titles match")
    options = parser.parse_args()
    lines: list[str] = []
    if options.part in ("graphs", "all"):
        lines += graph_lines(options.tvm, options.rounds, options.only)
    if options.part in ("code", "all"):
        lines += code_lines(options.rounds, options.only)
    print("| work | size | tensorexpr | other (or apache-tvm) | faster | by medians | goal |")
    print("|---|---|---|---|---|---|---|")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
