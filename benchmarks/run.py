#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures tain beside nanobind, pybind11, apache-tvm-ffi and hand-written C.

python benchmarks/run.py [ROW ...] [--quick] [--json FILE] [--chart FILE] [--instructions]
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import building  # noqa: E402
import chart  # noqa: E402
import contenders  # noqa: E402
import graphs  # noqa: E402
import growth  # noqa: E402
import inline_builds  # noqa: E402
import instructions  # noqa: E402
import memory  # noqa: E402
import page  # noqa: E402
import processes  # noqa: E402
import report  # noqa: E402
import scale  # noqa: E402
import threads  # noqa: E402
import timing  # noqa: E402
from report import Line  # noqa: E402
from rows import ROWS, Row  # noqa: E402

# Rows that need processes of their own, by the word that selects them.
SPECIAL: dict[str, Callable[[list[str], bool], list[Line]]] = {
    "import": processes.import_lines,
    "memory": memory.lines,
    "registration": processes.registration_lines,
    "scale": scale.lines,
    "compile": processes.compile_lines,
    "inline": inline_builds.lines,
    "graphs": graphs.lines,
    "threads": threads.lines,
}
NOT_QUICK = ("compile", "inline", "graphs")  # left out of --quick unless asked for


def selected(words: list[str]) -> list[Row]:
    """Return the rows whose names contain one of the words, or whose group is one; all without."""
    if not words:
        return list(ROWS)
    plain = [word for word in words if word not in SPECIAL]
    return [row for row in ROWS if any(word in row.name or word == row.group for word in plain)]


def possible(rows: list[Row]) -> list[Row]:
    """Return the rows whose modules can be imported, and say which groups have others."""
    missing = {
        need for need in {row.needs for row in rows} - {""} if not processes.importable(need)
    }
    for need in sorted(missing):
        groups = dict.fromkeys(row.group for row in rows if row.needs == need)
        print(f"left out, as {need} cannot be imported: {', '.join(groups)}", file=sys.stderr)
    return [row for row in rows if row.needs not in missing]


def measured(
    measure: Callable[[list[Row], list[str]], list[Line]], rows: list[Row], names: list[str]
) -> list[Line]:
    """Measure first the rows that need no module: PyTorch is imported for its own rows only."""
    lines = []
    for need in dict.fromkeys(row.needs for row in sorted(rows, key=lambda row: row.needs)):
        some = [name for name in names if name != "torch" or need == "torch"]
        lines += measure([row for row in rows if row.needs == need], some)
    return lines


def timed(rows: list[Row], names: list[str], quick: bool) -> list[Line]:
    """Time the rows of one operation each."""
    loaded = {name: made for name in names if (made := contenders.load(name)) is not None}
    lines = []
    for number, row in enumerate(rows, 1):
        if sys.stderr.isatty():
            print(f"\r{number}/{len(rows)} {row.name:40}", end="\r", file=sys.stderr)
        results = timing.measure(row, loaded, 8 if quick else 15, 0.003 if quick else 0.02)
        best = {name: result.best for name, result in results.items()}
        spread = {name: result.spread for name, result in results.items()}
        lines.append(_line(row, "ns", best, spread))
    return lines


def counted(rows: list[Row], names: list[str]) -> list[Line]:
    """Count the instructions of the same rows."""
    counts = instructions.count(rows, names)
    return [_line(row, "instr", counts[row.name], {}) for row in rows if row.name in counts]


def _line(row: Row, unit: str, values: dict[str, float], spread: dict[str, float]) -> Line:
    targets = dict(row.targets)
    return Line(row.name, unit, values, spread, targets, row.group, row.series, row.size)


def build(rows: list[Row], names: list[str], special: list[str], jobs: int) -> None:
    """Build what will be measured, before anything is."""
    has_extensions = rows or {"import", "memory", "scale", "threads"} & set(special)
    kits = {building.toolkit(name).name: name for name in names if has_extensions}  # two share one
    wanted = [partial(building.extension, name) for name in kits.values()]
    for name in ("tvm", "tain"):
        if name in names and "registration" in special:
            wanted.insert(0, partial(processes.registered_types, name))
        if name in names and {"import", "scale"} & set(special):
            wanted.append(partial(processes.many_types, name))
    building.prepare(wanted, jobs)


def arguments() -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "rows", nargs="*", help=f"parts of rows' names, groups, or {', '.join(SPECIAL)}"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="about a minute (and once, the compilers' time), less exact",
    )
    parser.add_argument("--instructions", action="store_true", help="count with callgrind")
    parser.add_argument("--contenders", default=",".join(contenders.NAMES), metavar="A,B")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--chart", type=Path, action="append", default=[], metavar="FILE.svg|png")
    parser.add_argument(
        "--write-docs",
        action="store_true",
        help="write the groups that are measured into docs/performance.md",
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="compilers at a time, before timing"
    )
    options = parser.parse_args()
    unknown = set(options.contenders.split(",")) - set(contenders.NAMES)
    if unknown:
        known = ",".join(contenders.NAMES)
        parser.error(f"--contenders: expected some of {known}, got {', '.join(sorted(unknown))}")
    if reason := chart.problem(options.chart):
        parser.error(reason)
    groups = {row.group for row in ROWS} | SPECIAL.keys()
    if options.write_docs and (parts := [word for word in options.rows if word not in groups]):
        parser.error(f"--write-docs: expected groups, which are written whole, got {parts[0]!r}")
    return options


def main() -> None:
    """Measure, print, write."""
    options = arguments()
    warnings.filterwarnings("ignore", module="tvm_ffi")
    rows = possible(selected(options.rows))
    needed = {row.needs for row in rows}
    names = processes.available(
        name for name in options.contenders.split(",") if name != "torch" or name in needed
    )
    if "tain" not in names:
        raise SystemExit("run.py: tain is not among the contenders, or not installed")
    special = [word for word in SPECIAL if word in options.rows]
    if not options.rows:
        special = [word for word in SPECIAL if not (options.quick and word in NOT_QUICK)]
    if options.instructions and special:
        print(
            f"left out, as they have processes of their own: {', '.join(special)}", file=sys.stderr
        )
        special = []
    build(rows, names, special, options.jobs)
    measure = counted if options.instructions else partial(timed, quick=options.quick)
    lines = measured(measure, rows, names)
    others = [name for name in names if name not in contenders.PARTIAL]
    for word in special:
        lines += SPECIAL[word](others, options.quick)
    lines += growth.lines(lines)
    print(report.text(lines))
    if options.json:
        report.write_json(options.json, lines)
    for path in options.chart:
        chart.write(path, lines)
    if options.write_docs:
        page.write(HERE.parent / "docs" / "performance.md", lines, " ".join(sys.argv[1:]))


if __name__ == "__main__":
    main()
