# SPDX-License-Identifier: Apache-2.0
"""The exceptions of the engine, which types.cc raises for those of C++."""

from __future__ import annotations


# [exceptions]
class SheetError(ValueError):
    """A sheet cannot do this."""


class ParseError(SheetError):
    """A bad formula."""

    def __init__(self, *args: object, formula: str | None = None, position: int | None = None):
        super().__init__(*args)
        self.formula = formula
        self.position = position


class CycleError(SheetError):
    """A cell needs itself."""

    def __init__(self, *args: object, path: list[str] | None = None):
        super().__init__(*args)
        self.path = path
