# SPDX-License-Identifier: Apache-2.0
"""Runs compilers side by side, without a shell, and ends them when the build ends.

Each command has a process group of its own, so that Ctrl-C, the time limit and an error end all
that it started.
"""

from __future__ import annotations

import errno
import os
import selectors
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NamedTuple

from tain.cpp._errors import CompileError
from tain.cpp._progress import Progress

__all__ = ["Job", "run"]

_TICK = 0.1  # seconds between two looks at the clock
_PATIENCE = 1.0  # seconds that a compiler has to remove its files when it is ended
_MOST_OUTPUT = 10_000_000  # bytes; what a command prints beyond is dropped


class Job(NamedTuple):
    """A command, and the file that it writes."""

    command: list[str]
    output: str


def run(
    name: str,
    jobs: Sequence[Job],
    progress: Progress,
    finished: Callable[[int], None] = lambda index: None,
) -> None:
    """Run commands, as many at a time as there are processors.

    Errors have the name of the library. `finished` is called with the index of each job that has
    succeeded.

    Raises
    ------
    CompileError
        A command failed. If several fail, the error is that of the first in the sequence.
    TimeoutError
        The time limit of the build has passed.
    """
    waiting = list(enumerate(jobs))
    running: dict[int, _Process] = {}
    failed: dict[int, Exception] = {}
    try:
        while running or (waiting and not failed):
            while waiting and not failed and len(running) < (os.cpu_count() or 1):
                index, job = waiting.pop(0)
                progress.say(f"$ {_quoted(job.command)}")
                with _uninterrupted():
                    running[index] = _Process(name, job)
            _wait_for_output(running.values())
            progress.tick("it compiled" if len(jobs) > 1 else _quoted(jobs[0].command))
            for index in [index for index, process in running.items() if process.has_ended()]:
                error = running.pop(index).error(progress)
                if error is None:
                    finished(index)
                else:
                    failed[index] = error
    finally:
        _end(running.values())
    if failed:
        raise failed[min(failed)]


class _Process:
    """A command that runs, and what it has printed."""

    def __init__(self, name: str, job: Job) -> None:
        self.name = name
        self.job = job
        self.text = bytearray()
        self.is_open = True
        try:
            self.popen = start(job.command)
        except OSError as error:
            raise RuntimeError(
                f"tain.cpp: cannot run {_quoted(job.command[:1])}: {os.strerror(error.errno or 0)}"
            ) from None
        assert self.popen.stdout is not None
        self.pipe = self.popen.stdout
        os.set_blocking(self.pipe.fileno(), False)

    def read(self) -> None:
        """Take what the command has printed so far."""
        while self.is_open:
            try:
                data = os.read(self.pipe.fileno(), 1 << 16)
            except BlockingIOError:
                return
            self.is_open = bool(data)
            self.text += data[: max(0, _MOST_OUTPUT - len(self.text))]

    def has_ended(self) -> bool:
        """Return whether the command is no longer running."""
        if not self.is_open:
            with suppress(subprocess.TimeoutExpired):
                self.popen.wait(_TICK)
        return self.popen.poll() is not None

    def error(self, progress: Progress) -> Exception | None:
        """Return the error of a command that has ended; None if it succeeded."""
        self.read()
        self.pipe.close()
        output, status = self.text.decode(errors="replace"), self.popen.returncode
        if output:
            progress.say(output.rstrip("\n"))
        if status == 0 and os.path.exists(self.job.output):
            return None
        if os.strerror(errno.ENOSPC) in output:
            reason = f"tain.cpp: cannot build {self.name!r}: {os.strerror(errno.ENOSPC)}\n{output}"
            return OSError(errno.ENOSPC, reason, os.path.dirname(self.job.output))
        return CompileError(self.name, _quoted(self.job.command), output + _outcome(status, output))


def start(command: list[str]) -> subprocess.Popen[bytes]:
    """Start a command in a process group of its own."""
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put off Ctrl-C for a moment: what has just been started must be known to be ended."""
    known = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(known):
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, known)
        if came:
            known(*came[0])


def _outcome(status: int, output: str) -> str:
    """Return what a failed command does not print itself."""
    if status < 0:
        known = {number.value: number.name for number in signal.Signals}
        return f"error: the compiler was ended by {known.get(-status, f'signal {-status}')}\n"
    if status == 0:
        return "error: the compiler wrote no file\n"
    return "" if output.strip() else f"error: the compiler ended with status {status}\n"


def _wait_for_output(processes: Iterable[_Process]) -> None:
    """Wait until a command prints or ends, at most until the clock must be looked at."""
    with selectors.DefaultSelector() as selector:
        for process in processes:
            if process.is_open:
                selector.register(process.pipe, selectors.EVENT_READ, process)
        if selector.get_map():
            for key, _ in selector.select(_TICK):
                key.data.read()


def _end(processes: Iterable[_Process]) -> None:
    """End commands with all that they started."""
    processes = list(processes)
    try:
        for process in processes:
            _signal(process, signal.SIGTERM)
        limit = time.monotonic() + _PATIENCE
        while time.monotonic() < limit and not all(map(_is_zombie, processes)):
            time.sleep(0.01)
    finally:
        for process in processes:
            _signal(process, signal.SIGKILL)
            process.popen.wait()
            process.pipe.close()


def _is_zombie(process: _Process) -> bool:
    # The process is not waited for yet: its number must stay taken until its group has ended.
    options = os.WEXITED | os.WNOHANG | os.WNOWAIT
    try:
        return os.waitid(os.P_PID, process.popen.pid, options) is not None
    except ChildProcessError:
        return True  # it has been waited for


def _signal(process: _Process, number: int) -> None:
    if process.popen.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.popen.pid, number)


def _quoted(command: Sequence[str]) -> str:
    return shlex.join(command).encode(errors="surrogateescape").decode(errors="replace")
