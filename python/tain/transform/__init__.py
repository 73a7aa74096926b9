# SPDX-License-Identifier: Apache-2.0
"""Visitors, mutators and passes: what walks over graphs of objects and changes them.

The classes are those of ``tain/graph/visitor.h`` and ``tain/graph/pass.h``, so passes written in
C++ and in Python run in one `Sequential`.
"""

from __future__ import annotations

from tain import registry
from tain.transform._classes import (
    FunctionPass,
    Mutator,
    Pass,
    PassContext,
    PassInstrument,
    PassTiming,
    Sequential,
    Visitor,
)
from tain.transform._dump import PassDump
from tain.transform._passes import create_pass, get_pass, list_passes, register_pass

__all__ = [
    "FunctionPass",
    "Mutator",
    "Pass",
    "PassContext",
    "PassDump",
    "PassInstrument",
    "PassTiming",
    "Sequential",
    "Visitor",
    "create_pass",
    "get_pass",
    "list_passes",
    "register_pass",
]


def _note(error: BaseException, place: str) -> None:
    """Say in an exception of a pass which pass it was."""
    if hasattr(error, "add_note"):
        error.add_note(f"in {place}")
    else:  # Python 3.10; traceback does not print it
        notes = getattr(error, "__notes__", [])
        error.__notes__ = [*notes, f"in {place}"]


registry.register_global_func("tain.transform.note", _note, override=True)
