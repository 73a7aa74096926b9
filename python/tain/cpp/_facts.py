# SPDX-License-Identifier: Apache-2.0
"""Facts about files that take long to find, remembered in the cache until a file changes.

A file counts as unchanged as long as its inode, size, and times of modification and of change are
the same. A fact about a file that has just changed is not remembered, because a second change
could have the same times.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from tain.cpp import _cache, _files

__all__ = ["FileState", "find", "state_of"]

_SETTLED = 2_000_000_000  # nanoseconds; file systems may count in steps of two seconds
# The facts that change if a file changes: path, inode, size, and in nanoseconds since 1970 the
# times of its modification and of its last change. A plain tuple, because there are many.
FileState = tuple[str, int, int, int, int]
_known: dict[tuple[str, tuple[FileState, ...]], str] = {}
_recorded: set[str] = set()  # the names of facts whose record this process has read or written


def state_of(path: str, status: os.stat_result | None = None) -> FileState:
    """Return the present state of a file."""
    status = status or os.stat(path)
    return path, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def find(name: str, files: Iterable[FileState], compute: Callable[[], str]) -> str:
    """Return a fact: as it is remembered for the files on which it depends, else as computed now.

    The name says what it is about; facts of one name replace each other.
    """
    states = tuple(files)
    if name in _recorded and (name, states) in _known:
        return _known[name, states]
    digest = _files.hash_bytes(repr(states).encode())
    with suppress(OSError, ImportError):  # without a cache of its own, a build has other errors
        _cache.check()
        facts = _files.read_record(_cache.fact(name))
        if facts.get("files") == digest and isinstance(facts.get("value"), str):
            _recorded.add(name)
            return _known.setdefault((name, states), facts["value"])
    value = _known.get((name, states))
    if value is None:
        value = _known[name, states] = compute()
    newest = max((max(state[3:]) for state in states), default=0)
    if newest + _SETTLED < time.time_ns():
        with suppress(OSError, RuntimeError, ImportError):
            _cache.make()
            _files.write_record(_cache.fact(name), {"about": name, "files": digest, "value": value})
            _recorded.add(name)
    return value
