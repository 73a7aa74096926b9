# SPDX-License-Identifier: Apache-2.0
"""The measured tables as text and JSON; page.py writes those of the documentation."""

from __future__ import annotations

import datetime
import json
import os
import platform
from dataclasses import dataclass, field
from pathlib import Path

SHORT = {
    "tain": "tain",
    "nanobind": "nb",
    "nanobind_args": "nb args",
    "nanobind_record": "nb record",
    "pybind11": "pybind11",
    "tvm": "tvm",
    "torch": "PyTorch",
    "c": "C",
    "hand": "by hand",
    "dump": "ast.dump",
    "pickle": "pickle",
    "json": "json",
}
OTHERS = tuple(name for name in SHORT if name != "tain")
# Beside the rows of graphs stand others than beside those of single calls.
BESIDE_GRAPHS = ("tvm", "hand", "dump", "pickle", "json")
BESIDE_CALLS = ("nanobind", "nanobind_args", "nanobind_record", "pybind11", "tvm", "torch", "c")


@dataclass
class Line:
    """One row of the table: values by contender, in one unit."""

    name: str
    unit: str
    values: dict[str, float]
    spread: dict[str, float] = field(default_factory=dict)
    targets: dict[str, float] = field(default_factory=dict)
    group: str = ""
    series: str = ""  # see rows.Row
    size: int = 0

    def ratio(self, other: str) -> float | None:
        """Return tain's value over that of another contender; None if one is missing."""
        if "tain" not in self.values or not self.values.get(other):
            return None
        return self.values["tain"] / self.values[other]


def summary(
    group: str,
    name: str,
    unit: str,
    runs: dict[str, list[float]],
    targets: dict[str, float] | None = None,
) -> Line:
    """Return the row of several runs: the best, and how far the middle one lies above it."""
    best = {key: min(values) for key, values in runs.items()}
    spread = {
        key: sorted(values)[len(values) // 2] / best[key] - 1
        for key, values in runs.items()
        if len(values) > 1 and best[key] > 0
    }
    return Line(name, unit, best, spread, targets or {}, group)


def machine() -> str:
    """Return in one line what the figures were measured on."""
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()}, CPython {platform.python_version()}"
    )


def _figure(value: float | None, digits: int = 2) -> str:
    if value is None:
        return ""
    if value >= 1000:
        return f"{value:.0f}"
    return f"{value:.{1 if value >= 10 else digits}f}"


def is_of_graphs(group: str) -> bool:
    """Return whether the rows of a group are of graphs, which have a table of their own."""
    return group.startswith("graphs")


def head(graphs: bool) -> list[str]:
    """Return the titles of the columns of one of the two tables."""
    beside = BESIDE_GRAPHS if graphs else BESIDE_CALLS
    return ["operation", "tain", "spread", *(f"/ {SHORT[other]}" for other in beside), "target"]


def cells(line: Line) -> list[str]:
    """Return the cells of a row."""
    beside = BESIDE_GRAPHS if is_of_graphs(line.group) else BESIDE_CALLS
    ratios = [_figure(line.ratio(other)) for other in beside]
    goal = ", ".join(f"<= {most:.3g} x {SHORT[other]}" for other, most in line.targets.items())
    tain = line.values.get("tain")
    own = "" if tain is None else f"{_figure(tain)} {line.unit}"
    spread = line.spread.get("tain")
    return [line.name, own, "" if spread is None else f"{spread:.0%}", *ratios, goal]


def grouped(lines: list[Line]) -> dict[str, list[Line]]:
    """Return the lines by group, in the order in which the groups first appear."""
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(line.group, []).append(line)
    return groups


def text(lines: list[Line]) -> str:
    """Return the tables for a terminal: a heading for each group, its lines indented."""
    parts = []
    for graphs in (False, True):
        members = [line for line in lines if is_of_graphs(line.group) == graphs]
        if members:
            parts.append(_table(members, head(graphs)))
    return "\n\n".join(parts)


def _table(lines: list[Line], titles: list[str]) -> str:
    rows = [titles, *map(cells, lines)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(titles))]

    def joined(row: list[str]) -> str:
        first = row[0].ljust(widths[0])
        rest = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        return "  ".join([first, *rest]).rstrip()

    out = ["  " + joined(titles)]
    for group, members in grouped(lines).items():
        out += ["", group, *("  " + joined(cells(line)) for line in members)]
    return "\n".join(out)


def write_json(path: Path, lines: list[Line]) -> None:
    """Write everything that was measured."""
    content = {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
        "rows": [vars(line) for line in lines],
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
