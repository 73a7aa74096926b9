# SPDX-License-Identifier: Apache-2.0
"""check_signals: Ctrl-C ends a long C++ loop."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import pytest

import tain

LOOP = tain.get_global_func("testing.loop")
LOOP_FREE = tain.get_global_func("testing.loop_free")

INTERRUPTED = """
import signal, sys, threading, time, os
import tain

loop = tain.get_global_func("testing.{function}")

def interrupt():
    time.sleep({delay})
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
sent = []
thread = threading.Thread(target=interrupt, daemon=True)
{start}
try:
    {call}
except KeyboardInterrupt as error:
    late = time.monotonic() - sent[0] if sent else 0
    print(type(error).__name__, late < 10)
else:
    print("not interrupted")
"""


def run(**parts: object) -> str:
    source = INTERRUPTED.format(**parts)
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.only_if(sys.platform != "win32", reason="SIGINT cannot be sent to one process")
@pytest.mark.parametrize(
    "call", ["loop(20.0)", "tain.get_global_func('testing.apply')(lambda: loop(20.0))"]
)
def test_a_signal_ends_a_loop_without_the_gil(call: str) -> None:
    shown = run(function="loop_free", delay=0.2, start="thread.start()", call=call)
    assert shown == "KeyboardInterrupt True"  # the loop would take another 20 s


@pytest.mark.only_if(sys.platform != "win32", reason="SIGINT cannot be sent to one process")
def test_a_signal_ends_a_loop_with_the_gil() -> None:
    """The other thread never runs meanwhile: the system's timer sends the signal."""
    start = "signal.signal(signal.SIGALRM, signal.default_int_handler); " + (
        "signal.setitimer(signal.ITIMER_REAL, 0.2); sent.append(time.monotonic() + 0.2)"
    )
    shown = run(function="loop", delay=0, start=start, call="loop(20.0)")
    assert shown == "KeyboardInterrupt True"  # the loop would take another 20 s


def test_nothing_pending() -> None:
    assert LOOP(0.05) > 100
    assert LOOP_FREE(0.05) > 100


def test_it_is_cheap() -> None:
    start = time.perf_counter()
    checked, bare = LOOP(0.2, True), LOOP(0.2, False)
    assert time.perf_counter() - start < 5
    assert checked > bare / 20


@pytest.mark.only_if(sys.platform != "win32", reason="signals of POSIX")
def test_what_a_handler_raises_comes_as_it_is() -> None:
    class Mine(Exception):
        pass

    error = Mine("from the handler")

    def handler(*_: object) -> None:
        raise error

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Mine) as caught:
            LOOP(20.0)
        assert caught.value is error
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Mine):
            LOOP_FREE(20.0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.only_if(sys.platform != "win32", reason="signals of POSIX")
def test_other_threads_go_on() -> None:
    """The signal waits for the main thread's Python code."""
    seen: list[str] = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append("handled"))
    outcome: list[object] = []
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        thread = threading.Thread(target=lambda: outcome.append(LOOP_FREE(0.3) > 0))
        thread.start()
        thread.join()
        assert outcome == [True]
        assert seen == ["handled"]
        assert tain.get_global_func("testing.loop_on_thread")(0.1) == "done"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
