# SPDX-License-Identifier: Apache-2.0
"""The progress that a build shows while it runs, and how long it may still run."""

from __future__ import annotations

from tain._status_line import StatusLine, write

__all__ = ["Progress"]


class Progress:
    """The clock of a build: a line on the terminal after a second, and the time limit."""

    def __init__(self, name: str, verbose: bool, timeout: float | None) -> None:
        self._name = name
        self._verbose = verbose
        self._timeout = timeout
        self._line = StatusLine()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._line.erase()
        if kind is None:
            self.say(f"built {self._name} in {self._line.elapsed():.1f} s")

    def tick(self, doing: str) -> None:
        """Show how much time has passed; end the build if it is more than the limit.

        Raises
        ------
        TimeoutError
            The build has taken longer than it may.
        """
        elapsed = self._line.elapsed()
        if self._timeout is not None and elapsed >= self._timeout:
            raise TimeoutError(
                f"tain.cpp: building {self._name!r} took more than {self._timeout:g} s, and was "
                f"ended while {doing}"
            )
        self._line.show(f"tain.cpp: building {self._name}", elapsed)

    def say(self, text: str) -> None:
        """Print a line if the build is verbose."""
        if self._verbose:
            self._line.erase()
            write(f"tain.cpp: {text}\n")
