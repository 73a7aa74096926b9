# SPDX-License-Identifier: Apache-2.0
"""The charts: for each row tain's cost over each contender's, on a logarithmic axis, by group.

As a program (``python benchmarks/chart.py [--check]``) it draws the small one of README and docs
from the figures that docs/performance.md publishes, and renews the page's summary; overview.py and
page.py say how.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from report import OTHERS, SHORT, Line, grouped, machine

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SUFFIXES = (".svg", ".png")
# Colours that also the colour-blind tell apart, and a shape each.
_LOOK = {
    "nanobind": ("#0072b2", "o"),
    "nanobind_args": ("#56b4e9", "<"),
    "nanobind_record": ("#cc79a7", ">"),
    "pybind11": ("#009e73", "s"),
    "tvm": ("#d55e00", "D"),
    "torch": ("#e69f00", "v"),
    "c": ("#777777", "^"),
    "hand": ("#000000", "P"),
    "dump": ("#f0e442", "X"),
    "pickle": ("#882255", "p"),
    "json": ("#44aa99", "h"),
}
_COLUMN = 60  # rows below one another before a further column begins
_ROW = 0.19  # inches
_MARKS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300)


def problem(paths: list[Path]) -> str | None:
    """Return why the charts cannot be drawn; None if they can."""
    for path in paths:
        if path.suffix not in SUFFIXES:
            return f"--chart: expected a name that ends in .svg or .png, got {path}"
    if paths and importlib.util.find_spec("matplotlib") is None:
        return "--chart needs matplotlib, which is not installed: pip install matplotlib"
    return None


def _columns(groups: dict[str, list[Line]]) -> list[list[tuple[str, list[Line]]]]:
    """Divide the groups into columns of about the same length."""
    total = sum(len(lines) + 1 for lines in groups.values())
    count = -(-total // _COLUMN)
    columns: list[list[tuple[str, list[Line]]]] = [[] for _ in range(count)]
    before = 0
    for group, lines in groups.items():
        middle = before + (len(lines) + 1) / 2
        columns[min(count - 1, int(middle * count / total))].append((group, lines))
        before += len(lines) + 1
    return [column for column in columns if column]


def _limits(lines: list[Line]) -> tuple[float, float]:
    """Return the ends of the axis, which all columns share: no row falls off."""
    ratios = [ratio for line in lines for other in OTHERS if (ratio := line.ratio(other))]
    return min([0.1, *ratios]) / 1.3, max([10.0, *ratios]) * 1.3


def _draw(
    axes: Axes, column: list[tuple[str, list[Line]]], height: int, limits: tuple[float, float]
) -> None:
    """Draw one column; `height` is that of the longest, so that all rows are equally high."""
    ticks: list[int] = []
    names: list[str] = []
    at = 0
    for group, lines in column:
        axes.axhspan(at - 0.5, at + 0.5, color="#e8e8e8", zorder=0)
        ticks.append(at)
        names.append(group.upper())
        for line in lines:
            at += 1
            ticks.append(at)
            names.append(line.name)
            axes.axhline(at, color="#eeeeee", linewidth=0.6, zorder=0)
            for other, (colour, shape) in _LOOK.items():
                if (ratio := line.ratio(other)) is not None:
                    axes.plot([ratio], [at], shape, color=colour, markersize=4.5, alpha=0.9)
            for other, most in line.targets.items():
                axes.plot(
                    [most], [at], "|", color=_LOOK[other][0], markersize=11, markeredgewidth=2
                )
        at += 1
    axes.axvline(1.0, color="black", linewidth=1)
    axes.set_xscale("log")
    axes.set_xlim(*limits)
    marks = [mark for mark in _MARKS if limits[0] <= mark <= limits[1]]
    axes.set_xticks(marks, [f"{mark:g}" for mark in marks])
    axes.minorticks_off()
    axes.grid(axis="x", color="#dddddd", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.set_yticks(ticks, names, fontsize=7)
    groups = {group.upper() for group, _ in column}
    for label in axes.get_yticklabels():
        if label.get_text() in groups:
            label.set_fontweight("bold")
    axes.set_ylim(height - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", top=True, labeltop=True, labelsize=7)
    axes.set_xlabel("cost of tain / cost of the other: left of 1, tain is faster", fontsize=8)


def write(path: Path, lines: list[Line]) -> None:
    """Draw the rows that have a ratio; the suffix says whether SVG or PNG."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    shown = [line for line in lines if any(line.ratio(other) for other in OTHERS)]
    columns = _columns(grouped(shown))
    heights = [sum(len(members) + 1 for _, members in column) for column in columns]
    tallest = max(heights, default=1)
    count = max(1, len(columns))
    figure = Figure(figsize=(6.5 * count, _ROW * tallest + 1.6), layout="constrained")
    limits = _limits(shown)
    for axes, column in zip(figure.subplots(1, count, squeeze=False)[0], columns, strict=False):
        _draw(axes, column, tallest, limits)
    handles = [
        Line2D([], [], color=colour, marker=shape, linestyle="", label=f"/ {SHORT[other]}")
        for other, (colour, shape) in _LOOK.items()
    ]
    handles.append(Line2D([], [], color="black", marker="|", linestyle="", label="target"))
    figure.legend(handles=handles, loc="outside upper center", ncols=5, fontsize=8, frameon=False)
    figure.supxlabel(machine(), fontsize=7, color="#777777")
    figure.savefig(path, dpi=130)


def main() -> int:
    """Draw the chart of the published figures, and their summary; return the exit status."""
    import overview
    import page

    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    check = parser.parse_args().check
    stale = overview.update(check)
    text = page.rewritten(overview.PAGE)
    if not check:
        overview.PAGE.write_text(text, encoding="utf-8")
    elif overview.PAGE.read_text(encoding="utf-8") != text:
        stale.append(f"{overview.PAGE} is out of date")
    for line in stale:
        print(f"{line}: run python benchmarks/chart.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
