# SPDX-License-Identifier: Apache-2.0
"""The rows of graphs, each kind in an interpreter of its own."""

from __future__ import annotations

import processes
from report import Line


def lines(names: list[str], quick: bool) -> list[Line]:
    """Return what comparing, saving and walking graphs costs, and how it grows."""
    with_tvm = "tvm" in names
    calls = (
        f"graphs_structural.lines({quick}, {with_tvm})",
        f"graphs_saving.lines({quick})",
        f"graphs_walk.lines({quick})",
        f"graphs_growth.lines({quick})",
    )
    made = []
    for call in calls:
        module = call.partition(".")[0]
        made += processes.child_lines(f"import graphs_trees, {module}\ngraphs_trees.show({call})")
    return made
