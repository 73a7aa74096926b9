# SPDX-License-Identifier: Apache-2.0
"""The instrument that prints graphs before and after passes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from typing import Any, TextIO

from tain.transform._classes import Pass, PassInstrument

__all__ = ["PassDump"]


class PassDump(PassInstrument):
    """Print the graph before or after each pass.

    Parameters
    ----------
    before, after : bool, optional
        Whether to print the graph that a pass gets, and the one that it returns.
    passes : collection of str, optional
        The names of the passes; by default all.
    text : callable, optional
        Returns the text of a graph; by default it is ``repr``.
    file : file object, optional
        Where to print, by default standard output as it is when a pass runs.
    """

    def __init__(
        self,
        *,
        before: bool = False,
        after: bool = True,
        passes: Collection[str] | None = None,
        text: Callable[[Any], str] = repr,
        file: TextIO | None = None,
    ) -> None:
        super().__init__()
        self.before, self.after = before, after
        self.passes = None if passes is None else frozenset(passes)
        self.text, self.file = text, file

    def before_pass(self, graph: Any, info: Pass) -> None:
        """Print what a pass gets."""
        if self.before:
            self._print("before", graph, info)

    def after_pass(self, graph: Any, info: Pass) -> None:
        """Print what a pass returned."""
        if self.after:
            self._print("after", graph, info)

    def _print(self, when: str, graph: Any, info: Pass) -> None:
        if self.passes is None or info.name in self.passes:
            file = sys.stdout if self.file is None else self.file
            print(f"# {when} {info.name}\n{self.text(graph)}", file=file)
