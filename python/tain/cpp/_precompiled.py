# SPDX-License-Identifier: Apache-2.0
"""The precompiled header of inline sources, which saves most of the time of a build.

Making it takes longer than compiling a source without it. So the first build does without, and then
starts a process that makes it in the background, with low priority, for all later builds with the
same compiler and options. The process works for some seconds; a build never waits for it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tain.cpp import _cache, _files
from tain.cpp._installed import hash_of_tain

__all__ = ["HEADER", "Precompiled", "find"]

# Included before a text. The name of the library is a symbol that the text defines: a macro with
# the name itself would make another precompiled header for each library.
HEADER = """\
extern "C" __attribute__((visibility("hidden"))) const char tain_unit_name[];
#define TAIN_UNIT_NAME tain_unit_name
#include <tain/tain.h>
"""
NAME = "tain_inline.h"
RESULT = f"{NAME}.gch"  # the compilers look for it beside the header
_WORKER = Path(__file__).with_name("_precompile.py")
_SECONDS = 300  # the process ends itself after this time
# Options that mean the same for a precompiled header and for what includes it.
_SAFE = re.compile(r"-(?:[DUOfmgWw].*|std=.*|pthread|pipe)")


class Precompiled(NamedTuple):
    """Where the header for a command is, or will be."""

    folder: Path
    command: tuple[str, ...]
    is_usual: bool  # whether the command has no options of the user

    @property
    def header(self) -> str:
        """The path to include."""
        return str(self.folder / NAME)

    def is_ready(self) -> bool:
        """Return whether the header is precompiled, and nobody else can have changed it."""
        if not self._is_private():
            return False
        size = _files.read_record(self.folder / _cache.RECORD).get("size")
        if size is None:
            return False
        try:
            return (self.folder / NAME).is_file() and (self.folder / RESULT).stat().st_size == size
        except OSError:
            return False

    def _is_private(self) -> bool:
        try:
            _cache.check(self.folder)
        except PermissionError:
            return False
        return True

    def worker(self, *options: str) -> list[str]:
        """Return the command that makes it; with --wait, the command ends when it is made."""
        # Isolated and without site packages, an interpreter starts in a few milliseconds.
        python = [sys.executable, "-I", "-S", str(_WORKER), *options]
        return [*python, str(self.folder), NAME, _cache.RECORD, str(_SECONDS), *self.command]

    def make_in_background(self) -> None:
        """Start to make it, unless that was tried before.

        Options of the user must come a second time, because they may be others in each build.
        """
        if (self.folder / _cache.RECORD).exists() or not self._is_private():
            return
        is_first = not self.folder.exists()
        with suppress(OSError):  # later builds take longer, that is all
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if is_first and not self.is_usual:
                return
            _files.write(self.folder / NAME, HEADER)
            # The worker leaves a child behind and ends at once: nothing is to be waited for later.
            subprocess.run(
                self.worker(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                check=False,
            )

    def discard(self) -> None:
        """Do without it from now on: the compiler refuses it."""
        with suppress(OSError):
            _files.write_record(self.folder / _cache.RECORD, {"size": None})
            (self.folder / RESULT).unlink(missing_ok=True)


def find(command: Sequence[str], extra: Sequence[str]) -> Precompiled | None:
    """Return the header for a command that compiles a text; None if it cannot have one.

    The command is without input, output and what it writes for make; `extra` are the options in it
    that the user gave.
    """
    if os.environ.get("TAIN_PRECOMPILED_HEADER") == "0" or not _has_interpreter():
        return None
    if not all(map(_SAFE.fullmatch, extra)):
        return None
    try:
        _cache.make()
    except (OSError, RuntimeError):
        return None  # with build_directory=, a build does not need the cache
    facts = json.dumps([HEADER, hash_of_tain(), list(command)])
    key = _files.hash_bytes(facts.encode())
    is_usual = not extra and not any(option.startswith("-I") for option in command)
    return Precompiled(_cache.headers() / key, tuple(command), is_usual)


def _has_interpreter() -> bool:
    """Return whether the worker can be started; in a host of Python, the program is the host."""
    name = os.path.basename(sys.executable or "").lower()
    return name.startswith(("python", "pypy")) and sys.platform != "win32"
