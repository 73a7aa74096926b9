# SPDX-License-Identifier: Apache-2.0
"""Threads that do the same or different things at the same time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from interpreter import HAS_GIL
from threads import in_threads

#: A bounded number of turns: with a GIL few switches happen, so fewer turns find as much.
TURNS = 400 if HAS_GIL else 1000


@contextmanager
def eager_switches() -> Iterator[None]:
    """With a GIL the threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def race(*tasks: Callable[[], Any], threads: int = 4, turns: int = TURNS) -> None:
    """Run the tasks in `threads` threads, each `turns` times, and raise the first exception."""
    start = threading.Barrier(threads)
    failed = threading.Event()

    def run(task: Callable[[], Any]) -> None:
        start.wait()
        try:
            for _ in range(turns):
                if failed.is_set():
                    return
                task()
        except BaseException:
            failed.set()
            raise

    with eager_switches():
        in_threads([partial(run, tasks[i % len(tasks)]) for i in range(threads)])
