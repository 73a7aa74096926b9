# SPDX-License-Identifier: Apache-2.0
"""Threads that do the same or different things at the same time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

HAS_GIL = getattr(sys, "_is_gil_enabled", lambda: True)()
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
    failures: list[BaseException] = []

    def run(task: Callable[[], Any]) -> None:
        start.wait()
        try:
            for _ in range(turns):
                if failures:
                    return
                task()
        except BaseException as error:  # the thread must not hide it
            failures.append(error)

    with eager_switches():
        all_of_them = [
            threading.Thread(target=run, args=(tasks[i % len(tasks)],)) for i in range(threads)
        ]
        for each in all_of_them:
            each.start()
        for each in all_of_them:
            each.join()
    if failures:
        raise failures[0]
