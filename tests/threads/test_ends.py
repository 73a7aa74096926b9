# SPDX-License-Identifier: Apache-2.0
"""Threads that call C++ all the time while the process forks, or the interpreter ends."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CALLS = """
import os, sys, threading, time
import tain
from tain.types.testing import Point, threads

def run():
    safe, locked, point = threads.Safe(), threads.Locked(), Point(1, 2)
    running.set()
    while True:
        safe.add(1), locked.add(1), threads.add(1, 2.0), safe.text("abc"), Point(1, 2).x
        list(tain.Array([1, 2, 3])), safe.call(lambda other: 1)

running = threading.Event()
for _ in range(4):
    threading.Thread(target=run, daemon=True).start()
running.wait()
time.sleep(0.05)
"""
FORKS = """
child = os.fork()
if child == 0:
    safe = threads.Safe()
    for _ in range(100):
        safe.add(1)
    good = safe.total == 100 and Point(3, 4).norm() == 5 and safe.call(lambda _: 1) == 1
    os._exit(0 if good else 1)
_, status = os.waitpid(child, 0)
assert status == 0, status
"""


@pytest.mark.parametrize("gil", ["", "1"])
@pytest.mark.parametrize("then", ["", FORKS], ids=["end", "fork"])
def test_threads_that_never_stop(then: str, gil: str) -> None:
    environment = dict(os.environ)
    if gil and hasattr(sys, "_is_gil_enabled"):  # older Pythons refuse the variable
        environment["PYTHON_GIL"] = gil
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-X", "faulthandler", "-c", CALLS + then],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=environment,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
