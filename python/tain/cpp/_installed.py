# SPDX-License-Identifier: Apache-2.0
"""The files that libraries are compiled against: tain's headers and libtain."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tain import libinfo
from tain.cpp._facts import FileState, find, state_of
from tain.cpp._files import hash_bytes, hash_file

__all__ = ["hash_of_tain"]


def hash_of_tain() -> str:
    """Return the hash of the contents of tain's headers and of libtain."""
    headers = libinfo.include_dir()
    library = libinfo.find_libtain()
    states = sorted([*_states(headers), state_of(library)])

    def compute() -> str:
        return hash_bytes("".join(hash_file(path) for path, *_ in states).encode())

    return find(f"the contents of {headers} and {library}", states, compute)


def _states(folder: str) -> Iterator[FileState]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _states(entry.path)
            else:
                yield state_of(entry.path, entry.stat())
