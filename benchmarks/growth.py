# SPDX-License-Identifier: Apache-2.0
"""How each cost grows: one line for each series of rows that differ in their size only."""

from __future__ import annotations

import report
from report import Line
from rows import GROWTH


def _each(points: list[tuple[int, float]]) -> float:
    """Return what one more unit of size costs, by least squares."""
    middle = sum(size for size, _ in points) / len(points)
    spread = sum((size - middle) ** 2 for size, _ in points)
    return sum((size - middle) * value for size, value in points) / spread


def lines(measured: list[Line]) -> list[Line]:
    """Return the summary of the series that were measured at more than one size.

    A contender whose costs do not grow beyond the noise has no figure for one more unit.
    """
    known: dict[str, list[Line]] = {}
    for line in measured:
        if line.series:
            known.setdefault(line.series, []).append(line)
    made = []
    for series, rows in known.items():
        name, each = GROWTH[series]
        values = {}
        for contender in rows[-1].values:
            points = [(row.size, row.values[contender]) for row in rows if contender in row.values]
            if len(points) < 2:
                continue
            value = _each(points) if each else points[-1][1] / points[0][1]
            if value > 0:
                values[contender] = value
        if "tain" in values:
            unit = rows[-1].unit if each else "x"
            group = f"{'graphs: ' * report.is_of_graphs(rows[-1].group)}how costs grow"
            made.append(Line(name, unit, values, group=group))
    return made
