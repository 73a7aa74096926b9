# SPDX-License-Identifier: Apache-2.0
"""What the rows of graphs share: the trees of the standard library, and sums over all of them."""

from __future__ import annotations

import gc
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from report import Line, summary

if TYPE_CHECKING:
    import ast

PYAST = Path(__file__).resolve().parent.parent / "examples" / "pyast"
FEW = 8  # files of a quick run

sys.path.insert(0, str(PYAST))


def trees(count: int | None, collect: bool = True) -> Iterator[tuple[ast.Module, Any]]:
    """Yield each file's tree of the module ast and that of examples/pyast; all files for None.

    `collect` is for callers that drop each tree: no step pays for what those before it left.
    """
    from pyast.convert import from_ast
    from pyast.stdlib import parse, source_files

    sys.setrecursionlimit(20_000)
    for path in source_files(count):
        try:
            tree = parse(path)
        except (SyntaxError, ValueError):  # some must not be parsed
            continue
        yield tree, from_ast(tree)
        if collect:
            gc.collect()


class Clock:
    """Adds up, for each step and contender, the best time of each file and the size it wrote."""

    def __init__(self, turns: int) -> None:
        self.turns = turns
        self.files = 0
        self.seconds: dict[tuple[str, str], float] = defaultdict(float)
        self.sizes: dict[tuple[str, str], int] = defaultdict(int)

    def run(self, step: str, contender: str, function: Callable[..., Any], *args: Any) -> Any:
        """Call the function, and return its result."""
        best, result = float("inf"), None
        for _ in range(self.turns):
            result = None  # freed outside of the measured time
            start = time.process_time_ns()  # what other processes take does not count
            result = function(*args)
            best = min(best, (time.process_time_ns() - start) / 1e9)
        self.seconds[step, contender] += best
        if isinstance(result, (str, bytes)):
            self.sizes[step, contender] += len(result)
        return result

    def line(self, group: str, step: str, targets: dict[str, float]) -> Line:
        """Return the row of a step's time."""
        runs = {who: [took * 1e3] for (what, who), took in self.seconds.items() if what == step}
        found = {who: most for who, most in targets.items() if who in runs}
        return summary(group, f"{step}, {self.files} files", "ms", runs, found)

    def size_line(self, group: str, step: str, targets: dict[str, float]) -> Line:
        """Return the row of what a step wrote."""
        runs = {who: [size / 2**20] for (what, who), size in self.sizes.items() if what == step}
        return summary(group, f"size of {step}, {self.files} files", "MiB", runs, targets)


def show(lines: list[Line]) -> None:
    """Print rows for the process that runs this one."""
    print(json.dumps([vars(line) for line in lines]))
