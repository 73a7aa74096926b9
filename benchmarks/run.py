#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures tain beside static nanobind, pybind11, apache-tvm-ffi and hand-written C.

python benchmarks/run.py [ROW ...] [--quick] [--json FILE] [--chart FILE] [--instructions]
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import contenders  # noqa: E402
import instructions  # noqa: E402
import processes  # noqa: E402
import report  # noqa: E402
import timing  # noqa: E402
from report import Line  # noqa: E402
from rows import ROWS, Row  # noqa: E402

# Rows that need processes of their own, by the word that selects them.
SPECIAL = ("import", "memory", "registration", "compile")


def selected(words: list[str]) -> list[Row]:
    """Return the rows whose names contain one of the words; all without words."""
    return [row for row in ROWS if not words or any(word in row.name for word in words)]


def timed(rows: list[Row], names: list[str], quick: bool) -> list[Line]:
    """Time the rows of one operation each."""
    loaded = {name: made for name in names if (made := contenders.load(name)) is not None}
    lines = []
    for number, row in enumerate(rows, 1):
        if sys.stderr.isatty():
            print(f"\r{number}/{len(rows)} {row.name:40}", end="\r", file=sys.stderr)
        results = timing.measure(row, loaded, 5 if quick else 15, 0.004 if quick else 0.02)
        best = {name: result.best for name, result in results.items()}
        spread = {name: result.spread for name, result in results.items()}
        lines.append(Line(row.name, "ns", best, spread, row.target, row.beside))
    return lines


def counted(rows: list[Row], names: list[str]) -> list[Line]:
    """Count the instructions of the same rows."""
    counts = instructions.count(rows, names)
    return [
        Line(row.name, "instr", counts[row.name], {}, row.target, row.beside)
        for row in rows
        if row.name in counts
    ]


def _line(name: str, unit: str, runs: dict[str, list[float]], **more: object) -> Line:
    best = {key: min(values) for key, values in runs.items()}
    spread = {key: sorted(values)[len(values) // 2] / best[key] - 1 for key, values in runs.items()}
    return Line(name, unit, best, spread, **more)  # type: ignore[arg-type]


def special(words: list[str], names: list[str], quick: bool) -> list[Line]:
    """Measure the rows that need processes of their own."""
    wanted = [name for name in SPECIAL if not words or name in words]
    runs = 3 if quick else 9
    lines = []
    if "import" in wanted:
        lines.append(_line("import", "ms", processes.import_time(names, runs)))
        many = processes.many_types(runs)
        for key, name in (
            ("without", "import, no types registered"),
            ("with", f"import, {processes.MANY} types registered"),
            ("first", "first use of one of them"),
        ):
            lines.append(_line(name, "ms", {"tain": many[key]}))
    if "memory" in wanted and (memory := processes.memory(names)):
        lines.append(Line("memory of a Pair", "bytes", memory))
    if "registration" in wanted:
        lines.append(_line("registration of a type", "us", processes.registration(names, runs)))
    if "compile" in wanted:
        kits = [name for name in names if name != "c"]
        cost = processes.compile_cost(kits, 1 if quick else 3)
        seconds = {name: values["seconds"] for name, values in cost.items()}
        sizes = {name: values["bytes"] / 1024 for name, values in cost.items()}
        lines.append(Line("compile 50 types x 5 fields x 5 methods", "s", seconds))
        lines.append(Line("its object's code and data", "KiB", sizes))
    return lines


def arguments() -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", help=f"parts of rows' names, or {', '.join(SPECIAL)}")
    parser.add_argument("--quick", action="store_true", help="about a minute, less exact")
    parser.add_argument("--instructions", action="store_true", help="count with callgrind")
    parser.add_argument("--contenders", default=",".join(contenders.NAMES), metavar="A,B")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--chart", type=Path, action="append", default=[], metavar="FILE.svg|png")
    parser.add_argument("--write-docs", action="store_true", help="write docs/performance.md")
    return parser.parse_args()


def main() -> None:
    """Measure, print, write."""
    options = arguments()
    warnings.filterwarnings("ignore", module="tvm_ffi")
    known = processes.available()
    names = [name for name in options.contenders.split(",") if name in known]
    rows = selected([word for word in options.rows if word not in SPECIAL])
    if options.rows and all(word in SPECIAL for word in options.rows):
        rows = []
    if options.instructions:
        lines = counted(rows, names)
    else:
        lines = timed(rows, names, options.quick) if rows else []
        skip = options.quick and not options.rows and not options.write_docs
        words = ["import", "memory", "registration"] if skip else options.rows
        lines += special(words, names, options.quick)
    print(report.text(lines))
    if options.json:
        report.write_json(options.json, lines)
    for path in options.chart:
        report.write_chart(path, lines)
    if options.write_docs:
        report.write_docs(HERE.parent / "docs" / "performance.md", lines, " ".join(sys.argv[1:]))


if __name__ == "__main__":
    main()
