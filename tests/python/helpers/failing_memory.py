# SPDX-License-Identifier: Apache-2.0
"""Runs an operation again and again, with another allocation failing each time.

For new interpreters: `python -c "from failing_memory import ..."`. A failure that is not taken as
MemoryError ends the process.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from interpreter import HAS_GIL
from sanitized import PLAIN_ENVIRONMENT

ONE, ALL_FROM = 0, 1
LIBRARIES = ("libtain", "_core.c", "libstdc++")


def compiler() -> str | None:
    """Return a C compiler, or None."""
    return shutil.which(os.environ.get("CC", "")) or shutil.which("cc") or shutil.which("gcc")


def build() -> ctypes.PyDLL:
    """Compile what makes allocations fail."""
    source = Path(__file__).with_name("failing_memory.c")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "failing_memory.so"
        include = sysconfig.get_paths()["include"]
        subprocess.run(
            [str(compiler()), "-shared", "-fPIC", "-O1", "-g", "-Wall", f"-I{include}",
             str(source), "-o", str(library), "-lstdc++"],
            check=True, env=PLAIN_ENVIRONMENT,
        )  # fmt: skip
        return ctypes.PyDLL(str(library))


class Failing:
    """Allocations fail in a part of the process: 'core' (tain's libraries) or 'python'."""

    def __init__(self, part: str) -> None:
        self.library = build()
        if part == "core":
            for name in LIBRARIES:
                assert self.library.watch_library(name.encode()) > 0, name
        else:
            self.library.watch_python()

    def run(self, prepare: Callable[[], Callable[[], Any]], n: int, mode: int) -> tuple[int, str]:
        """Fail in the n-th allocation: how many failed, and what came of it."""
        came: list[tuple[int, str]] = []
        operation = prepare()

        def run() -> None:
            if not HAS_GIL:
                # Without a GIL nanobind has tables of types for each thread, and ends the process
                # if there is no memory for an entry.
                with suppress(Exception):
                    prepare()()
            came.append(self._run(operation, n, mode))

        # A thread of its own, which has no blocks left over from before.
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        return came[0]

    def _run(self, operation: Callable[[], Any], n: int, mode: int) -> tuple[int, str]:
        fail, stop = self.library.fail_from, self.library.stop_failing
        failed = -1
        try:
            fail(n, mode)
            try:
                operation()
            finally:
                failed = stop()
        except BaseException as error:  # whatever it is, the process goes on
            if not isinstance(error, MemoryError):
                became = f"{type(error).__name__}: {str(error)[:80]}"
            else:
                became = "MemoryError"
            return (failed if failed >= 0 else stop()), became
        return failed, "fine"


def run_all(
    failing: Failing, operations: dict[str, Callable[[], Callable[[], Any]]], mode: int
) -> None:
    """Run each operation with n = 0, 1, ... until no allocation failed; later with larger steps.

    Prints a line for each: what came of it at last, then all else that came of it. A process that
    ends says on stderr where it was.
    """
    for name, prepare in operations.items():
        with suppress(Exception):
            prepare()()  # what is made once is there
        seen: set[str] = set()
        n = 0
        while True:
            print(f"\n{name}: the allocation {n} fails", file=sys.stderr, end="", flush=True)
            failed, became = failing.run(prepare, n, mode)
            if failed == 0:
                break
            seen.add(became)
            n += 1 + n // 25
        gc.collect()
        print(json.dumps([name, n, became, sorted(seen - {became})]), flush=True)
