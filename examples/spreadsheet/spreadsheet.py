# SPDX-License-Identifier: Apache-2.0
"""The engine as types of tain; importing this module compiles it, once."""

from __future__ import annotations

from pathlib import Path

import tain

# [module]
_HERE = Path(__file__).parent
tain.cpp.load(name="spreadsheet", sources=sorted((_HERE / "src").glob("*.cc")))

from tain.types.spreadsheet import (  # noqa: E402
    Binary,
    Call,
    Cell,
    CycleError,
    Expr,
    Function,
    Number,
    Op,
    ParseError,
    Range,
    Reference,
    Sheet,
    SheetError,
    Text,
    parse,
)

__all__ = [
    "Binary",
    "Call",
    "Cell",
    "CycleError",
    "Expr",
    "Function",
    "Number",
    "Op",
    "ParseError",
    "Range",
    "Reference",
    "Sheet",
    "SheetError",
    "Text",
    "difference",
    "load",
    "parse",
    "save",
]


# [saving as JSON]
def save(value: object) -> str:
    """Return a sheet or formula as JSON."""
    return tain.save_json(value, indent=2)


def load(text: str) -> object:
    """Return what `save` wrote."""
    return tain.load_json(text, allow=["spreadsheet"])


# [structural comparison]
def difference(a: object, b: object) -> str | None:
    """Return the path of the first difference, or None."""
    found = tain.first_mismatch(a, b)
    return None if found is None else str(found.path_a)
