# SPDX-License-Identifier: Apache-2.0
"""What dask_run.py runs in other processes, which import it by name."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any

from pyast import Folder, Statistics
from pyast.folding import KINDS, evaluate

sys.setrecursionlimit(20_000)  # a long chain of operators is a deep tree


@dataclass
class Counts:
    """What the passes found in some trees."""

    nodes: int = 0
    depth: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    folds: dict[str, int] = field(default_factory=dict)

    def add(self, other: Counts) -> None:
        """Add what was found in other trees."""
        self.nodes += other.nodes
        self.depth = max(self.depth, other.depth)
        for mine, its in ((self.kinds, other.kinds), (self.folds, other.folds)):
            for kind, count in its.items():
                mine[kind] = mine.get(kind, 0) + count


def run_passes(trees: list[Any]) -> tuple[list[Any], Counts]:
    """Count and fold trees; a process of the cluster runs this."""
    statistics, folder = Statistics(), Folder(evaluate)
    for tree in trees:
        statistics.visit(tree)
        folder.fold(tree)
    kinds = {str(kind): int(count) for kind, count in statistics.kinds.items()}
    folds = {kind: int(getattr(folder, kind)) for kind in KINDS}
    return trees, Counts(statistics.nodes, statistics.depth, kinds, folds)
