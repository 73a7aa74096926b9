# SPDX-License-Identifier: Apache-2.0
"""docs/performance.md: the tables, and when each of their groups was measured.

A run of some groups writes their rows and leaves those of the other groups as they are.
"""

from __future__ import annotations

import datetime
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from report import Line, cells, grouped, head, is_of_graphs, machine

_PAGE = """# Performance

```bash
python benchmarks/run.py
```

{summary}
<picture>
  <source media="(prefers-color-scheme: dark)" srcset="_static/chart_dark.svg">
  <img alt="Costs of nanobind, pybind11 and apache-tvm-ffi, as multiples of tain's"
       src="_static/chart_light.svg">
</picture>

## Words

{words}
One process measures a row for all, one after the other. The rows of scale, import, registration and
inline sources run in separate interpreters. Memory is the growth of the process, wrappers included.
A row of inline sources is one call of `load_inline`: the first with an empty cache; later, with
another source; and in another process, with a source that was built before. `--instructions` counts
instructions instead of time.

## Calls, objects, libraries

{calls}
## Graphs

```bash
python benchmarks/run.py graphs
```

The graphs are the syntax trees of Python's standard library, as objects of
[examples/pyast](../examples/pyast/README.md). Each kind of row has an interpreter of its own, and
the times are those of the processor for this process, summed over all files. Beside the comparison
and the hash stand those of the texts of `ast.dump` with the positions that the trees have, and
apache-tvm-ffi on equal trees of arrays. Beside the binary form stands `pickle` of the trees of the
module `ast`, beside JSON the module `json` on equal dicts. The walks by hand are recursive C++
functions (-O2) that visit the same fields and know shared nodes.

The last rows are of graphs of 10^5 to 10^7 nodes, in nanoseconds for each node: a balanced binary
tree, and a ladder, each node of which holds the next one twice, so that it is as deep as it has
nodes. A walk that does not know shared nodes would visit the last node of the ladder 2^n times. The
nodes of the tree have one reference each and are in no table. Those of the ladder are looked up in
a table, which the processor's caches hold up to about 10^6 nodes; beyond, each look-up waits for
the memory.

{graphs}
## When the groups were measured

{measured}
## What it does not do

The tables do not cover programs that spend their time inside C++, threads, or debug builds.
"""

_WORDS = {
    "tain": "the cost with tain: the best of several runs",
    "spread": "the distance of the middle run from the best; a large one makes a row useless",
    "/ x": "tain's cost divided by that of x: below 1, tain is cheaper. Only these ratios can be "
    "compared with another machine",
    "nb, pybind11": "nanobind and pybind11, with bindings written by hand",
    "nb args, nb record": "tain's own work, types and functions described at run time, done by "
    "nanobind: with closures of `nb::args` and `nb::kwargs`, and with its internal records",
    "tvm": "apache-tvm-ffi",
    "PyTorch": "its custom operators, for its own tensors",
    "C": "an extension written by hand with CPython's C API, or CPython's built-in object where it "
    "has one, such as a list for an array",
    "target": "what a release of tain must keep",
    "an empty cell": "the other does not have the operation, or could not be measured",
}

# What the page begins with: a sentence, and the row whose figures follow it.
_SUMMARY = {
    "A call of a function with an int": "add_one(1)",
    "A call with keywords": "add(a=1, b=2)",
    "A method": "p.plus(3)",
    "An object of two ints, made": "Pair(1, 2)",
    "A field, read": "p.a",
    "A list of 1000 ints, copied to a vector": "list of 1000 ints, copied",
    "An array of numpy, as an argument": "float32 vector to TensorView",
    "Importing": "import",
    "Compiling 50 classes": "compile 50 types x 5 fields x 5 methods",
    "Saving 1694 syntax trees": "save_binary, 1694 files",
}
_TIMES = "\N{MULTIPLICATION SIGN}"
_BESIDE = {
    "/ nb": "nanobind",
    "/ pybind11": "pybind11",
    "/ tvm": "apache-tvm-ffi",
    "/ pickle": "pickle",
}

Row = dict[str, str]  # the cells of a row by the titles of their columns


@dataclass
class Content:
    """What the page has: the rows of each group by name, and how the groups were measured."""

    groups: dict[str, dict[str, Row]] = field(default_factory=dict)
    measured: dict[str, tuple[str, ...]] = field(default_factory=dict)


_MEASURED = ["groups", "date", "command", "machine", "load average"]
_GROWTH = ("how costs grow", "graphs: how costs grow")  # computed of rows of the other groups


def _table(titles: list[str], rows: list[list[str]], right: range) -> str:
    marks = ["--:" if i in right else "---" for i in range(len(titles))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [titles, marks, *rows]) + "\n"


def _rows_table(content: Content, graphs: bool) -> str:
    titles = head(graphs)
    rows = []
    for group, members in content.groups.items():
        if is_of_graphs(group) == graphs:
            rows.append([f"**{group}**"] + [""] * (len(titles) - 1))
            rows += [[row.get(title, "") for title in titles] for row in members.values()]
    return _table(titles, rows, range(1, len(titles) - 1))


def _measured_table(content: Content) -> str:
    together: dict[tuple[str, ...], list[str]] = {}
    for group, how in content.measured.items():
        together.setdefault(how, []).append(group)
    rows = [["; ".join(groups), *how] for how, groups in together.items()]
    return _table(_MEASURED, rows, range(0))


def _summary(content: Content) -> str:
    """Return ten lines of figures that the tables have too."""
    rows = {name: row for group in content.groups.values() for name, row in group.items()}
    lines = []
    for words, name in _SUMMARY.items():
        if (row := rows.get(name)) is None:
            continue
        figures = {other: row.get(title, "") for title, other in _BESIDE.items()}
        figures = {other: figure for other, figure in figures.items() if figure}
        beside = [
            f"{figure if float(figure) else 'less than 0.01'} {_TIMES} {other}"
            for other, figure in figures.items()
        ]
        lines.append(f"- {words}: {row['tain']}; {', '.join(beside)}.")
    return "\n".join(lines) + "\n"


def read(text: str) -> Content:
    """Return what a page has."""
    content = Content()
    titles: list[str] = []
    group = ""
    for line in text.splitlines():
        if not line.startswith("| "):
            titles = []
            continue
        row = [cell.strip() for cell in line[1:-1].split(" | ")]
        if not titles:
            titles = row
        elif titles[0] not in ("operation", _MEASURED[0]):
            continue  # a table of words
        elif titles == _MEASURED:
            if row[0] != "---":
                content.measured |= dict.fromkeys(row[0].split("; "), tuple(row[1:]))
        elif found := re.fullmatch(r"\*\*(.*)\*\*", row[0]):
            group = found[1]
            content.groups[group] = {}
        elif row[0] != "---":
            content.groups[group][row[0]] = dict(zip(titles, row, strict=True))
    return content


def merged(old: Content, lines: list[Line], how: tuple[str, ...]) -> Content:
    """Return the old content with the rows of the groups that were measured now."""
    made = Content(dict(old.groups), dict(old.measured))
    for group, members in grouped(lines).items():
        titles = head(is_of_graphs(group))
        rows = {line.name: dict(zip(titles, cells(line), strict=True)) for line in members}
        if group in _GROWTH:
            made.groups[group] = {**made.groups.get(group, {}), **rows}
        else:
            made.groups[group] = rows
            made.measured[group] = how
    made.groups |= {group: made.groups.pop(group) for group in _GROWTH if group in made.groups}
    return made


def write(path: Path, lines: list[Line], options: str, load: str | None = None) -> None:
    """Write the page, with the rows of groups that were not measured as they were."""
    if load is None:
        load = f"{os.getloadavg()[1]:.1f}" if hasattr(os, "getloadavg") else ""
    how = (datetime.date.today().isoformat(), f"`run.py {options}`", machine(), load)
    old = read(path.read_text(encoding="utf-8")) if path.exists() else Content()
    path.write_text(_text(merged(old, lines, how)), encoding="utf-8")


def _text(content: Content) -> str:
    return _PAGE.format(
        summary=_summary(content),
        words=_table(["word", "meaning"], [list(row) for row in _WORDS.items()], range(0)),
        calls=_rows_table(content, graphs=False),
        graphs=_rows_table(content, graphs=True),
        measured=_measured_table(content),
    )


def rewritten(path: Path) -> str:
    """Return a page with the rows that it has, and all else as this file says."""
    return _text(read(path.read_text(encoding="utf-8")))
