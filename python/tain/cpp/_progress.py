# SPDX-License-Identifier: Apache-2.0
"""What a build shows while it runs, and how long it may still run."""

from __future__ import annotations

import sys
import time
from types import TracebackType

__all__ = ["Progress"]

_QUIET = 1.0  # seconds before something is shown


class Progress:
    """The clock of a build: a line on the terminal after a second, and the time limit."""

    def __init__(self, name: str, verbose: bool, timeout: float | None) -> None:
        self._name = name
        self._verbose = verbose
        self._timeout = timeout
        self._start = time.monotonic()
        self._shown = 0  # the last number of seconds on the terminal
        self._terminal = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._erase()
        if kind is None:
            self.say(f"built {self._name} in {time.monotonic() - self._start:.1f} s")

    def tick(self, doing: str) -> None:
        """Show how much time has passed; end the build if it is more than the limit.

        Raises
        ------
        TimeoutError
            The build has taken longer than it may.
        """
        elapsed = time.monotonic() - self._start
        if self._timeout is not None and elapsed >= self._timeout:
            raise TimeoutError(
                f"tain.cpp: building {self._name!r} took more than {self._timeout:g} s, and was "
                f"ended while {doing}"
            )
        if self._terminal and elapsed >= _QUIET and int(elapsed) > self._shown:
            self._shown = int(elapsed)
            self._print(f"\rtain.cpp: building {self._name} ... {self._shown} s")

    def say(self, text: str) -> None:
        """Print a line if the build is verbose."""
        if self._verbose and sys.stderr is not None:
            self._erase()
            self._print(f"tain.cpp: {text}\n")

    def _erase(self) -> None:
        if self._shown:
            self._print("\r\x1b[K")

    def _print(self, text: str) -> None:
        # Paths may have bytes that the terminal's encoding has no character for.
        encoding = sys.stderr.encoding or "utf-8"
        sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stderr.flush()
