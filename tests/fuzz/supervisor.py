# SPDX-License-Identifier: Apache-2.0
"""Starts workers one after the other, and notices the one that crashed, hangs or broke a rule."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
#: A worker that does not end this many seconds after its time hangs.
PATIENCE = 60.0
#: The innermost frame of a thread that waits for an import.
IN_IMPORT = re.compile(r'most recent call first\):\n  File "<frozen importlib\._bootstrap>"')
#: What AddressSanitizer says then.
OUT_OF_MEMORY = (
    "AddressSanitizer: out-of-memory",
    "AddressSanitizer: soft rss limit exhausted",
    "AddressSanitizer: hard rss limit exhausted",
)


def folded(text: str) -> str:
    """Text whose runs of one line stand there once, as deep stacks have them."""
    lines = [(line, len(list(run))) for line, run in itertools.groupby(text.splitlines())]
    return "\n".join(line if count == 1 else f"{line}  ({count} times)" for line, count in lines)


def native_stacks(process: int) -> str:
    """Where all threads of a process are, in C++ too, if there is a gdb that may look at it."""
    gdb = shutil.which("gdb")
    if gdb is None:
        return ""
    command = [gdb, "-p", str(process), "-batch", "-nx", "-ex", "thread apply all bt 50"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, errors="replace")
    except subprocess.TimeoutExpired:
        return ""
    return "\n--- stacks\n" + done.stdout


@dataclass
class Outcome:
    """How one worker ended."""

    seed: int
    status: int  #: of the process; negative for a signal
    hangs: bool
    actions: int
    errors: str  #: what it wrote to stderr
    last: list[str]  #: what it did last
    succeeded: dict[str, int]  #: how often each action ended without an exception
    stacks: str = ""  #: where all threads were when it hung, in C++ too

    @property
    def is_out_of_memory(self) -> bool:
        """A sanitizer ends the process where others raise MemoryError, and slows it down before."""
        return any(text in self.errors for text in OUT_OF_MEMORY)

    @property
    def waits_for_import(self) -> bool:
        """A thread waits for a lock of importlib.

        That is Python code: an exception at the recursion limit leaves its locks behind.
        """
        return self.hangs and IN_IMPORT.search(self.errors) is not None

    @property
    def is_good(self) -> bool:
        done = self.status == 0 and not self.hangs
        return done or self.is_out_of_memory or self.waits_for_import

    def describe(self) -> str:
        how = "hangs" if self.hangs else f"ended with status {self.status}"
        if not self.hangs and self.status < 0:
            how = f"died of {signal.Signals(-self.status).name}"
        lines = "\n".join(f"  {line}" for line in self.last[-12:])
        return (
            f"=== seed {self.seed} {how} after {self.actions} actions\n--- last actions\n{lines}\n"
            f"--- stderr\n{folded(self.errors)[:6000]}{self.stacks}"
        )


def read_log(path: Path) -> list[str]:
    """The lines of a worker's log in the order in which they were written."""
    text = path.read_bytes().replace(b"\0", b"").decode("utf-8", "replace")
    lines = [line for line in text.splitlines() if line.partition(" ")[0].isdigit()]
    return sorted(lines, key=lambda line: int(line.partition(" ")[0]))


def run_worker(
    seed: int,
    seconds: float,
    folder: Path,
    only: str = "",
    *,
    script: Path = HERE / "worker.py",
    patience: float = PATIENCE,
    threads: int = 1,
) -> Outcome:
    """Run one worker to its end."""
    log, errors = folder / f"log-{seed}", folder / f"stderr-{seed}"
    command = [sys.executable, str(script), str(seed), str(seconds), str(log), str(threads)]
    command += [only] if only else []
    environment = {**os.environ, "PYTHONHASHSEED": str(seed % 2**32), "PYTHONPATH": str(HERE)}
    hangs, stacks = False, ""
    with errors.open("wb") as stderr:
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=stderr, env=environment, cwd=folder
        )
        try:
            process.wait(seconds + patience)
        except subprocess.TimeoutExpired:
            hangs = True
            process.send_signal(signal.SIGUSR1)  # faulthandler shows where
            time.sleep(2)
            if threads > 1:
                stacks = native_stacks(process.pid)
            process.kill()
            process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
    lines = read_log(log) if log.exists() else []
    actions = int(lines[-1].partition(" ")[0]) if lines else 0
    said = errors.read_text("utf-8", "replace")
    counts = log.with_suffix(".json")
    succeeded = json.loads(counts.read_text()) if counts.exists() else {}
    outcome = Outcome(seed, process.returncode, hangs, actions, said, lines, succeeded, stacks)
    if outcome.is_good:
        for path in (log, counts, errors):
            path.unlink(missing_ok=True)
    return outcome


def run_many(
    first_seed: int,
    seconds: float,
    each: float,
    stop_at: int = 40,
    threads: int = 1,
    patience: float = PATIENCE,
) -> list[Outcome]:
    """Run workers of consecutive seeds for a time; at most `stop_at` of them may fail."""
    folder = Path(tempfile.mkdtemp(prefix="tain-fuzz-"))
    end, seed, outcomes = time.monotonic() + seconds, first_seed, []
    while time.monotonic() < end and sum(not one.is_good for one in outcomes) < stop_at:
        limit = min(each, max(1.0, end - time.monotonic()))
        outcome = run_worker(seed, limit, folder, threads=threads, patience=patience)
        outcomes.append(outcome)
        if not outcome.is_good:
            print(outcome.describe(), flush=True)
        seed += 1
    return outcomes
