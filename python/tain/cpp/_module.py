# SPDX-License-Identifier: Apache-2.0
"""Loads builds, also an earlier build after a later one."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import threading
from functools import cache

from tain.module import load_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tain._values import Module

__all__ = ["load_build"]

# Held while a build is loaded, so that the last one of a name is the one whose types are present.
_lock = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # type: ignore[attr-defined]
# The identity of the last loaded build by name, and the identities of all loaded builds.
_latest: dict[str, str] = {}
_loaded: set[str] = set()


def load_build(name: str, path: str) -> Module:
    """Load the library at a path, so that its types and functions are the present ones."""
    with _lock:
        identity = _identity(path)
        again = identity in _loaded and _latest.get(name) != identity
        _loaded.add(identity)
        _latest[name] = identity
        # An earlier build is loaded again. The loader would do nothing for the same file, and the
        # types and functions of the later build would stay. So load a copy.
        return load_module(shutil.copy(path, tempfile.mkdtemp(dir=_copies())) if again else path)


def _identity(path: str) -> str:
    status = os.stat(path)
    return f"{path}:{status.st_ino}:{status.st_mtime_ns}"


@cache
def _copies() -> str:
    """Return the folder of copies, which lives as long as the process."""
    folder = tempfile.mkdtemp(prefix="tain-")
    atexit.register(_remove, folder, os.getpid())
    return folder


def _remove(folder: str, owner: int) -> None:
    if os.getpid() == owner:  # a forked child must not remove it
        shutil.rmtree(folder, ignore_errors=True)
