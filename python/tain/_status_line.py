# SPDX-License-Identifier: Apache-2.0
"""One line that tells what takes so long: on a terminal, or in the output of a notebook's cell."""

from __future__ import annotations

import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["StatusLine"]

_QUIET = 1.0  # seconds before something is shown


class StatusLine:
    """A line that shows the time since it was made, from the first second on.

    It goes to stderr if that is a terminal, and to the cell that runs in a notebook. Elsewhere, as
    in a log, nothing is shown.
    """

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._shown = 0  # the last number of seconds that was shown
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._cell: Any = None  # the display of a notebook

    def elapsed(self) -> float:
        """Return the seconds since the line was made."""
        return time.monotonic() - self._start

    def show(self, doing: str, elapsed: float) -> None:
        """Show what is done and for how long, at most once a second."""
        if elapsed < _QUIET or int(elapsed) <= self._shown:
            return
        text = f"{doing} ... {int(elapsed)} s"
        if self._terminal:
            write(f"\r{text}")
        elif self._cell is not None:
            self._cell.update({"text/plain": text}, raw=True)
        elif (display := _display_of_notebook()) is not None:
            self._cell = display({"text/plain": text}, raw=True, display_id=True)
        else:
            return
        self._shown = int(elapsed)

    def erase(self) -> None:
        """Remove the line; what is shown next appears in its place."""
        if self._shown and self._terminal:
            write("\r\x1b[K")
        elif self._cell is not None:
            self._cell.update({"text/plain": ""}, raw=True)
        self._shown = 0


def write(text: str) -> None:
    """Write text to stderr, whatever characters its encoding has."""
    if sys.stderr is not None:
        encoding = sys.stderr.encoding or "utf-8"
        sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stderr.flush()


def _display_of_notebook() -> Any:
    """Return IPython's function `display` in the kernel of a notebook, else None."""
    ipython: Any = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if getattr(shell, "kernel", None) is None:
        return None
    from IPython.display import display

    return display
