# SPDX-License-Identifier: Apache-2.0
"""One process of random actions: what it does follows from its seed (threads and signals aside).

With several threads each has random actions of its own, and all share the objects they act on.

It writes what it is about to do into a shared file, so that whoever started it can say what a
process was doing that crashed or hangs. A SystemError (a C function that broke the rules of
CPython) ends it with status 70.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import mmap
import os
import random
import resource
import signal
import sys
import threading
import time
import traceback
from pathlib import Path
from types import FrameType

from actions import ACTIONS, Fuzzer
from hostile import Provoked
from team import Team

import tain

BROKEN_RULES = 70
LOG_SIZE = 1 << 16


class Log:
    """The last lines of what happened, in memory shared with the starter. Threads may write it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_bytes(b"\0" * LOG_SIZE)
        with path.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), LOG_SIZE)
        self.position = 0
        self.count = 0
        self.lock = threading.RLock()  # a `__del__` may write in the middle of a line

    def write(self, text: str) -> None:
        with self.lock:
            self.write_line(text)

    def write_line(self, text: str) -> None:
        self.count += 1
        line = f"{self.count} {text}\n".encode("utf-8", "backslashreplace")[:200]
        if self.position + len(line) >= LOG_SIZE:
            self.position = 0
        self.memory[self.position : self.position + len(line)] = line
        self.position += len(line)


#: What a signal may interrupt: the actions and what they call in C.
INTERRUPTED = {str(Path(__file__).with_name(name)) for name in ("actions.py", "hostile.py")}


def report_broken_rule(error: BaseException) -> None:
    """End the process if the error shows that C code broke the rules of CPython."""
    if type(error) is SystemError:
        traceback.print_exception(error)
        sys.stderr.flush()
        os._exit(BROKEN_RULES)


MEMORY = 6 << 30  # bytes


def limit_memory() -> None:
    """A container that is asked to be huge fails early, as one that grows while a loop is over it.

    Sanitizers need the address space: with them the process ends once it has that much memory.
    """
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    else:
        threading.Thread(target=end_when_large, daemon=True).start()


def end_when_large() -> None:
    pages = MEMORY // resource.getpagesize()
    while int(Path("/proc/self/statm").read_text().split()[1]) < pages:
        time.sleep(0.05)
    os._exit(0)


def disturb(fuzzer: Fuzzer) -> None:
    """From now on signals interrupt whatever runs.

    An exception inside importlib or threading would leave their locks behind: CPython has them in
    Python code.
    """

    def interrupt(_: int, frame: FrameType | None) -> None:
        if frame is None or frame.f_code.co_filename not in INTERRUPTED:
            return
        if fuzzer.rng.randrange(3) == 0:
            raise Provoked("signal")
        fuzzer.act()

    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.003)


def calm_down() -> None:
    """No more signals."""
    while signal.getitimer(signal.ITIMER_REAL)[0]:
        with contextlib.suppress(BaseException):
            signal.setitimer(signal.ITIMER_REAL, 0)
    with contextlib.suppress(BaseException):
        signal.signal(signal.SIGALRM, signal.SIG_IGN)


def run(seed: int, seconds: float, log: Log, threads: int = 1, only: str = "") -> None:
    """Run random actions for a time, then end as any process does."""
    rng = random.Random(seed)
    fuzzer = Fuzzer(rng, log.write, report_broken_rule)
    if only:
        fuzzer.table = [one for one in ACTIONS if one.__name__ == only]
        if not fuzzer.table:
            raise SystemExit(f"no action is named {only}")
    team = Team(fuzzer, seed, threads)
    sys.unraisablehook = lambda args: report_broken_rule(args.exc_value or Exception())
    threading.excepthook = lambda args: report_broken_rule(args.exc_value or Exception())
    if rng.randrange(3) == 0:
        sys.setswitchinterval(1e-6)
    if rng.randrange(4) == 0:
        disturb(fuzzer)
    end = time.monotonic() + seconds
    team.start(end)
    while time.monotonic() < end:
        try:
            while time.monotonic() < end:
                fuzzer.step()
        except BaseException as e:  # a signal that came between two actions
            report_broken_rule(e)
    calm_down()
    team.stop()
    log.path.with_suffix(".json").write_text(json.dumps(team.succeeded()))


def main() -> None:
    seed, seconds, log, threads, *only = sys.argv[1:]
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    limit_memory()
    tain.get_global_func("testing.nop")
    run(int(seed), float(seconds), Log(Path(log)), int(threads), *only)


if __name__ == "__main__":
    main()
