# SPDX-License-Identifier: Apache-2.0
"""The engine with nanobind."""

# [module]
from ._engine import (
    Binary,
    Call,
    Cell,
    Expr,
    Function,
    Number,
    Op,
    Range,
    Reference,
    Sheet,
    Text,
    parse,
)
from .errors import CycleError, ParseError, SheetError
from .protocols import difference, load, save

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
