# SPDX-License-Identifier: Apache-2.0
"""Leaves tain's own frames out of tracebacks, so that they end at the line of the user."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import ParamSpec, TypeVar

    _P = ParamSpec("_P")
    _R = TypeVar("_R")

__all__ = ["ends_at_caller", "leave_out_own"]

_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep
# The errors that checks of arguments, builds and loads raise; others are mistakes of tain itself.
_OF_USERS = (ImportError, OSError, RuntimeError, TypeError, ValueError)


def ends_at_caller(function: "Callable[_P, _R]") -> "Callable[_P, _R]":
    """Let the tracebacks of a function's errors have no entry of tain; see `leave_out_own`."""

    def call(*args: "_P.args", **kwargs: "_P.kwargs") -> "_R":
        try:
            return function(*args, **kwargs)
        except Exception as error:
            leave_out_own(error)
            raise

    # As functools.wraps does, which `import tain` does not load.
    for name in ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__"):
        setattr(call, name, getattr(function, name))
    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call


def leave_out_own(error: BaseException) -> None:
    """Remove tain's entries from the traceback of an error that is being handled.

    A bare `raise` must follow, which adds no entry for its own frame, as `raise error` would.
    ``TAIN_BACKTRACE=1`` keeps all entries, as it does those of C++.
    """
    if not isinstance(error, _OF_USERS) or os.environ.get("TAIN_BACKTRACE") == "1":
        return
    found = error.__traceback__
    error.__traceback__ = _of_others(found)
    # CPython 3.10 raises again with the traceback that it had, whose first entry must stay.
    if sys.version_info < (3, 11) and found is not None:
        found.tb_next = error.__traceback__


def _of_others(traceback: "TracebackType | None") -> "TracebackType | None":
    """Return a traceback without the entries of tain's files."""
    entries = []
    while traceback is not None:
        if not traceback.tb_frame.f_code.co_filename.startswith(_OWN):
            entries.append(traceback)
        traceback = traceback.tb_next
    kept: TracebackType | None = None
    for entry in reversed(entries):
        kept = type(entry)(kept, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return kept
