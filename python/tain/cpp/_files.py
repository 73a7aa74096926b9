# SPDX-License-Identifier: Apache-2.0
"""Hashes of files, files that are written as a whole, and lists of dependencies."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = [
    "hash_bytes",
    "hash_file",
    "included_files",
    "read_dependencies",
    "read_record",
    "write",
    "write_record",
]


def hash_bytes(data: bytes) -> str:
    """Return the hash of some bytes."""
    return hashlib.blake2b(data, digest_size=10).hexdigest()


def hash_file(path: str | Path) -> str:
    """Return the hash of a regular file's content; a device might have no end.

    Raises
    ------
    OSError
        The file cannot be read.
    """
    with open(path, "rb", opener=_open_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "expected a regular file", os.fspath(path))
        return hash_bytes(file.read())


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for the other end of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def included_files(
    record: Path, kind: str, file: Path, facts: dict[str, str]
) -> dict[str, str] | None:
    """Return the hashes of the files that a file was made of, which its record has.

    None if one of them has changed, or the file, whose hash the record has as `kind`, or if the
    record does not have the facts.
    """
    known = read_record(record)
    try:
        files = dict(known["included"])
        is_current = facts.items() <= known.items() and hash_file(file) == known[kind]
        is_current = is_current and all(hash_file(path) == each for path, each in files.items())
    except (OSError, KeyError, TypeError, ValueError):
        return None
    return files if is_current else None


def write(path: Path, text: str) -> None:
    """Write a file so that other processes never see a part of it."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def write_record(path: Path, facts: dict[str, Any]) -> None:
    """Write a file that `read_record` reads."""
    write(path, json.dumps(facts, indent=1))


def read_record(path: Path) -> dict[str, Any]:
    """Return the facts in a file; none if it is missing, not whole, or may be somebody else's."""
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if status.st_uid != os.geteuid() or status.st_mode & stat.S_IWOTH:
                return {}
            facts = json.loads(file.read())
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def read_dependencies(path: str) -> Iterator[str]:
    """Yield the files in a list of dependencies that a compiler wrote for make."""
    text = Path(path).read_text(encoding="utf-8", errors="surrogateescape")
    _, _, files = text.replace("\\\n", " ").partition(": ")
    # GNU make's rules: 2n + 1 backslashes before a blank or # are n of them and that character,
    # all others stand for themselves.
    for word in re.findall(r"(?:\\+[ \t#:]|[^ \t\n])+", files):
        path = re.sub(
            r"(\\+)([ \t#:])", lambda found: found[1][: len(found[1]) // 2] + found[2], word
        )
        yield os.path.abspath(path.replace("$$", "$"))
