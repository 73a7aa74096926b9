# SPDX-License-Identifier: Apache-2.0
"""A lock between processes, which stands for a file."""

from __future__ import annotations

import contextlib
import os
import sys
import time

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["FileLock"]


class FileLock:
    """A lock that one process at a time holds. Two objects of one process exclude each other."""

    def __init__(self, lock_file_path: str) -> None:
        self.lock_file_path = lock_file_path
        self._file_descriptor: int | None = None

    def __enter__(self) -> FileLock:
        self.blocking_acquire()
        return self

    def __exit__(self, *args: object) -> None:
        self.release()

    def acquire(self) -> bool:
        """Take the lock, and return whether it was free."""
        if self._file_descriptor is not None:
            return False
        opened = -1
        try:
            opened = os.open(self.lock_file_path, os.O_RDWR | os.O_CREAT)
            if sys.platform == "win32":
                msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if opened >= 0:
                os.close(opened)
            return False
        self._file_descriptor = opened
        return True

    def blocking_acquire(self, timeout: float | None = None, poll_interval: float = 0.1) -> bool:
        """Wait for the lock, at most `timeout` seconds.

        Raises
        ------
        TimeoutError
            The lock did not become free.
        RuntimeError
            This object holds it already.
        """
        if self._file_descriptor is not None:
            raise RuntimeError(f"{self.lock_file_path}: this object holds the lock already")
        end = None if timeout is None else time.monotonic() + timeout
        while not self.acquire():
            if end is not None and time.monotonic() > end:
                raise TimeoutError(f"{self.lock_file_path} was locked for {timeout} seconds")
            time.sleep(poll_interval)
        return True

    def release(self) -> None:
        """Give the lock back, if this object holds it."""
        held, self._file_descriptor = self._file_descriptor, None
        if held is None:
            return
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                msvcrt.locking(held, msvcrt.LK_UNLCK, 1)
            else:
                fcntl.flock(held, fcntl.LOCK_UN)
        os.close(held)
