# SPDX-License-Identifier: Apache-2.0
"""The cache of tain.cpp: where it is, who may write to it, what it holds and for how long.

It has four folders: libraries by name and digest of their input, precompiled headers by digest of
the options, a lock for each name, and what is known of compilers and of tain (see _facts.py).
Whatever was not used for some time, and facts of that age, are removed after a build.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tain.cpp._files import hash_bytes
from tain.cpp._needs import cpp_extra

__all__ = [
    "Entry",
    "Limits",
    "check",
    "entries",
    "fact",
    "folder",
    "headers",
    "libraries",
    "lock",
    "make",
    "mark_used",
    "prune",
    "writing",
]

RECORD = "record.json"  # each entry has one, written last; its time is that of the last use
OBJECTS = "build"  # the folder of the object files of a name, beside those of its libraries
_MAX_SIZE = "2G"
_MAX_AGE = "30"  # days
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_DAY = 24 * 60 * 60
# Why a file cannot be written. A source or header that is missing has an error of its own.
_UNWRITABLE = {
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT),
    *(errno.ENOTDIR, errno.EEXIST, errno.ENAMETOOLONG, errno.EIO),
}


class Entry(NamedTuple):
    """A library or a precompiled header in the cache."""

    name: str
    path: Path
    size: int  # bytes
    used: float  # the time of the last use, in seconds since 1970


class Limits(NamedTuple):
    """How much the cache may hold."""

    size: float  # bytes
    age: float  # seconds since the last use

    @classmethod
    def read(cls) -> Limits:
        """Return the limits that the environment sets, else the usual ones.

        Raises
        ------
        ValueError
            A variable has no number.
        """
        size = os.environ.get("TAIN_CACHE_MAX_SIZE") or _MAX_SIZE
        found = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)", size)
        if not found:
            raise ValueError(
                "TAIN_CACHE_MAX_SIZE: expected a size in bytes, or with K, M, G or T behind the "
                f"number, got {size!r}"
            )
        age = os.environ.get("TAIN_CACHE_MAX_AGE") or _MAX_AGE
        if not re.fullmatch(r"\d+(?:\.\d+)?", age):
            raise ValueError(f"TAIN_CACHE_MAX_AGE: expected a number of days, got {age!r}")
        return cls(float(found[1]) * _UNITS[found[2]], float(age) * _DAY)


def folder() -> Path:
    """Return the folder of the cache, which need not exist."""
    chosen = os.environ.get("TAIN_CACHE_DIR")
    if chosen:
        return Path(os.path.abspath(chosen))
    with cpp_extra():
        from platformdirs import user_cache_path

    return user_cache_path("tain") / "cpp"


def libraries() -> Path:
    """Return the folder with a folder for each name of a library."""
    return folder() / "tain-libraries"


def headers() -> Path:
    """Return the folder with a folder for each precompiled header."""
    return folder() / "tain-headers"


def lock(name: str) -> Path:
    """Return the lock of what has a name. Locks are never removed: someone may wait for them."""
    return folder() / "tain-locks" / f"{name}.lock"


def fact(name: str) -> Path:
    """Return the file of a fact that is remembered."""
    return folder() / "tain-facts" / f"{hash_bytes(name.encode())}.json"


def check(*inside: Path) -> None:
    """Refuse a cache of which somebody else may have written a part.

    Parameters
    ----------
    *inside : Path
        Folders in the cache that are going to be used; all folders on the way to them are checked.
        None of these folders need exist.

    Raises
    ------
    PermissionError
        A folder belongs to another user, or others may write to it.
    """
    root = folder()
    _check_folder(root)
    checked = {root}
    for path in (*_folders_inside(), *inside):
        for place in _way(path, root):
            if place not in checked:
                checked.add(place)
                _check_folder(place)


def _check_folder(path: Path) -> None:
    try:
        status = path.stat()
    except OSError:
        return  # making it says what is wrong
    if status.st_uid != os.geteuid():
        raise PermissionError(
            f"tain.cpp: the cache folder {str(path)!r} belongs to another user (number "
            f"{status.st_uid}): set TAIN_CACHE_DIR to a folder of your own"
        )
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        mode = stat.S_IMODE(status.st_mode)
        raise PermissionError(
            f"tain.cpp: others may write to the cache folder {str(path)!r} (mode {mode:04o}): run "
            "chmod go-w on it, or set TAIN_CACHE_DIR to another folder"
        )


def _way(path: Path, root: Path) -> list[Path]:
    """Return the folders below `root` on the way to a path, and the path."""
    parts = path.relative_to(root).parts
    return [root.joinpath(*parts[: i + 1]) for i in range(len(parts))]


def _folders_inside() -> tuple[Path, ...]:
    return libraries(), headers(), lock("").parent, fact("").parent


def make(*inside: Path) -> None:
    """Make the folder of the cache, and folders in it, for its user alone."""
    path = folder()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)
    check(*inside)
    for inner in _folders_inside():
        inner.mkdir(mode=0o700, exist_ok=True)
    for place in inside:
        for part in _way(place, path):
            part.mkdir(mode=0o700, exist_ok=True)


class writing:  # noqa: N801 - it is used as a function
    """Tell in an error that it is the folder of builds that cannot be written."""

    def __init__(self, path: Path | str) -> None:
        self._path = str(path)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError) and error.errno in _UNWRITABLE:
            text = str(error.strerror)
            if not text.startswith("tain.cpp: "):
                raise OSError(
                    error.errno,
                    f"tain.cpp: cannot write to the folder {self._path!r} ({text}); set "
                    "TAIN_CACHE_DIR or build_directory= to another",
                    error.filename,
                ) from None


def mark_used(record: Path) -> None:
    """Remember that an entry is used now, unless the cache is read-only."""
    with suppress(OSError):
        os.utime(record)


def entries() -> list[Entry]:
    """Return what the cache holds; what was used last comes first."""
    found = [
        *((_name(path), path) for path in _folders(libraries(), 2)),
        *((f"<tain/tain.h> {path.name}", path) for path in _folders(headers(), 1)),
    ]
    known = [Entry(name, path, _size(path), _used(path)) for name, path in found]
    return sorted(known, key=lambda entry: -entry.used)


def prune(limits: Limits, keep: Path | None = None) -> list[Entry]:
    """Remove what was not used for too long, and what was used least if the cache is too large.

    Return what was removed. The entry whose folder is `keep` stays.
    """
    now, total, removed = time.time(), 0.0, []
    for entry in entries():
        total += entry.size
        if entry.path == keep or (now - entry.used <= limits.age and total <= limits.size):
            continue
        if _remove(entry.path):
            total -= entry.size
            removed.append(entry)
    for file in fact("").parent.glob("*.json"):
        with suppress(OSError):  # another process may remove the same
            if now - file.stat().st_mtime > limits.age:
                file.unlink()
    return removed


def _remove(path: Path) -> bool:
    """Remove an entry, unless something of its name is being built; return whether it is gone."""
    with cpp_extra():
        from filelock import FileLock, Timeout

    try:
        with FileLock(lock(path.parent.name), timeout=0):
            # An entry without its record is not used, if the process ends here.
            (path / RECORD).unlink(missing_ok=True)
            shutil.rmtree(path, ignore_errors=True)
            if path.parent != headers() and not any(path.parent.iterdir()):
                path.parent.rmdir()
    except (Timeout, OSError):
        return False
    return not path.exists()


def _name(path: Path) -> str:
    name = path.parent.name
    return f"{name} (object files)" if path.name == OBJECTS else name


def _folders(path: Path, depth: int) -> Iterator[Path]:
    if depth == 0:
        yield path
    elif path.is_dir():
        for inner in sorted(path.iterdir()):
            if inner.is_dir():
                yield from _folders(inner, depth - 1)


def _size(path: Path) -> int:
    files = (os.path.join(place, file) for place, _, names in os.walk(path) for file in names)
    return sum(os.lstat(file).st_size for file in files if os.path.lexists(file))


def _used(path: Path) -> float:
    """Return the time of the last use; for a build without record, the time of its folder."""
    for file in (path / RECORD, path):
        if file.exists():
            return file.stat().st_mtime
    return 0.0
