# SPDX-License-Identifier: Apache-2.0
"""benchmarks/run.py: it builds, runs, and prints and writes its table. No time is checked."""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sanitized import SANITIZED

FOLDER = Path(__file__).resolve().parents[3] / "benchmarks"
RUN = FOLDER / "run.py"

# The groups of rows of one operation each, with some of their rows.
GROUPS = {
    "calls by type": {"nop()", "echo(int)", 'echo("hello")', "echo(obj)", "callback from C++"},
    "calls by arity": {"0 arguments", "1 argument", "8 arguments", "16 arguments"},
    "keywords": {"add(1, b=2)", "add(a=1, b=2)", "Pair(a=1, b=2)", "8 keywords"},
    "virtual": {"override called from C++", "virtual call in C++"},
    "construction": {"Pair(1, 2)", "subclass(1, 2)", "subclass(1, 2), own __init__"},
    "object fields and identity": {
        "p.child, wrapper made",
        "p.child, wrapper alive",
        "p.child = q",
        "p.held, wrapper alive",
    },
    "defined in Python": {"Two(1, 2)", "two.a"},
    "methods": {"p.sum()", "p.plus(3)"},
    "fields": {"p.a", "read bool", "write int32", "read int64", "write double", "read str"},
    "inheritance": {f"{what} at depth {n}" for what in ("field", "method") for n in range(9)},
    "containers": {
        "list of 1000 ints to Array",
        "sum(array of 10)",
        "dict(map of 100)",
        "array[5]",
    },
    "an element": {"an int of 1000 to Array", "an element of sum(array of 1000000)"},
    "moving": {"Array of 1000, changed: moved"},
    "nested data": {"list of 1000 dicts to a container"},
}


not_sanitized = pytest.mark.only_if(
    not SANITIZED, reason="the sanitizer needs more addresses than a run may have, and no valgrind"
)


def start(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(RUN), "--quick", "--contenders", "tain,c", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)


def run(*options: str) -> str:
    result = start(*options)
    assert result.returncode == 0, result.stderr
    return result.stdout


def names(text: str) -> list[str]:
    """Return the names of the rows that a printed table has, without groups and head."""
    lines = [line[2:].split("  ")[0] for line in text.splitlines() if line.startswith("  ")]
    assert lines[0] == "operation"
    return lines[1:]


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Imports modules of benchmarks/, which are forgotten at the end."""
    monkeypatch.syspath_prepend(str(FOLDER))
    before = set(sys.modules)

    def load(name: str) -> ModuleType:
        return importlib.import_module(name)

    yield load
    for name in set(sys.modules) - before:
        file = getattr(sys.modules[name], "__file__", None)
        if file is not None and Path(file).parent == FOLDER:
            del sys.modules[name]


def test_every_group_has_its_rows(module: Any) -> None:
    rows = module("rows").ROWS
    assert len({row.name for row in rows}) == len(rows)
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row.group, set()).add(row.name)
    assert found.keys() == GROUPS.keys()
    for group, expected in GROUPS.items():
        assert expected <= found[group]


def test_every_row_has_targets_beside_contenders_and_a_known_series(module: Any) -> None:
    contenders, rows = module("contenders"), module("rows")
    for row in rows.ROWS:
        assert set(row.targets) <= set(contenders.NAMES) - {"tain"}, row.name
        assert set(row.other) <= set(contenders.NAMES), row.name
        assert row.series == "" or row.series in rows.GROWTH, row.name
        compile(f"{row.setup}\n{row.stmt}", row.name, "exec")


def test_growth_is_the_cost_of_one_more_or_last_over_first(module: Any) -> None:
    line, growth = module("report").Line, module("growth")
    arity = [
        line("", "ns", {"tain": 20 + 3 * n, "c": 10 + n}, series="arity", size=n) for n in range(9)
    ]
    depth = [
        line("", "ns", {"tain": cost, "tvm": 9}, series="field depth", size=n)
        for n, cost in enumerate((20, 35, 30))
    ]
    each, last = growth.lines([*arity, *depth])
    assert (each.name, each.unit) == ("each further argument", "ns")
    assert each.values == pytest.approx({"tain": 3, "c": 1})
    assert (last.name, last.unit) == ("field, depth 8 over depth 0", "x")
    assert last.values == pytest.approx({"tain": 1.5, "tvm": 1})


def test_page_of_the_documentation(module: Any, tmp_path: Path) -> None:
    report = module("report")
    lines = [
        report.Line("f()", "ns", {"tain": 30.0, "nanobind": 20.0, "tvm": 90.0}, group="calls"),
        report.Line("g()", "us", {"tain": 3.0, "tvm": 6.0}, {"tain": 0.04}, {"tvm": 0.6}, "more"),
    ]
    page = tmp_path / "performance.md"
    report.write_docs(page, lines, "--quick", load="Idle.")
    text = page.read_text()
    assert "| f() | 30.0 ns |  | 1.50 |  |  |  | 0.33 |  |  |\n| **more** |" in text
    assert "| g() | 3.00 us | 4% |  |  |  |  | 0.50 |  | <= 0.6 x tvm |" in text


def test_chart_without_matplotlib_says_so(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    chart = module("chart")
    monkeypatch.setattr(chart.importlib.util, "find_spec", lambda name: None)
    assert chart.problem([]) is None
    assert chart.problem([Path("out.svg")]) == (
        "--chart needs matplotlib, which is not installed: pip install matplotlib"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--chart", "out.pdf"),
            "run.py: error: --chart: expected a name that ends in .svg or .png, got out.pdf",
        ),
        (
            ("--contenders", "tain,cython"),
            "run.py: error: --contenders: expected some of "
            "tain,nanobind,nanobind_args,nanobind_record,pybind11,tvm,c, got cython",
        ),
    ],
)
def test_wrong_options_are_refused_before_anything_runs(
    options: tuple[str, ...], message: str
) -> None:
    result = start(*options)
    assert result.returncode == 2
    assert result.stderr.splitlines()[-1] == message


@pytest.mark.slow
def test_table_and_json_have_the_rows(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    text = run("nop()", "p.a", "methods", "--json", str(file))
    assert names(text) == ["nop()", "p.sum()", "p.plus(3)", "p.a", "p.a = 3"]
    assert [line for line in text.splitlines() if line[:1].isalpha()] == [
        "calls by type",
        "methods",
        "fields",
    ]
    rows = json.loads(file.read_text())["rows"]
    assert [row["name"] for row in rows] == names(text)
    for row in rows:
        assert set(row["values"]) == {"tain", "c"}
        assert all(value > 0 for value in row["values"].values())
        assert set(row["spread"]) == {"tain", "c"}
        assert row["unit"] == "ns"
        assert row["targets"].keys() == {"nanobind"}


@pytest.mark.slow
def test_every_row_runs_and_the_series_are_summed_up(module: Any) -> None:
    found = names(run(*GROUPS))
    rows = module("rows")
    assert [name for name in found if name in {row.name for row in rows.ROWS}] == [
        row.name for row in rows.ROWS
    ]
    # Beside those that the noise of so short a run may hide: what one more unit costs.
    growth = {name for name, _ in rows.GROWTH.values()}
    assert {"field, depth 8 over depth 0", "method, depth 8 over depth 0"} <= growth & {*found}


@pytest.mark.slow
def test_chart_is_written_as_svg_and_png(tmp_path: Path) -> None:
    svg, png = tmp_path / "out.svg", tmp_path / "out.png"
    run("nop()", "array[5]", "--chart", str(svg), "--chart", str(png))
    assert "<svg" in svg.read_text(encoding="utf-8")
    assert png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_rows_with_processes_of_their_own() -> None:
    assert names(run("memory", "import", "registration")) == [
        "import",
        "import, library loaded before",
        "the same with 10000 types registered",
        "first use of one of them",
        "Pair, two ints",
        "instance of a subclass of Pair",
        "the same with an attribute",
        "Text, str of 40",
        "entry of an array of 1000 ints",
        "entry of a map of 1000 str to int",
        "registration of a type",
        "load a library of 20, a type",
    ]


@not_sanitized
@pytest.mark.slow
def test_scale_has_each_size_and_phase() -> None:
    found = names(run("scale"))
    for phase in ("build", "walk in Python", "walk in C++", "free"):
        assert [f"chain of 10^{n}: {phase}" for n in (3, 4, 5, 6)] == [
            name for name in found if name.startswith("chain of") and name.endswith(phase)
        ]
    assert {
        "chain of 10^6: memory of one",
        "chain of 10^6: peak of the process",
        "list of 10^6: memory of one",
        "10000 types: register one",
        "10000 types: class, object, field read",
        "10000 types: memory of one used",
        "chain: build, most objects over fewest",
    } <= {*found}


@pytest.mark.slow
def test_compile_has_time_and_size() -> None:
    assert names(run("compile")) == [
        "compile 50 types x 5 fields x 5 methods",
        "its object's code and data",
    ]


@not_sanitized
@pytest.mark.slow
def test_instructions_are_counted() -> None:
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    result = start("nop()", "memory", "--instructions")
    assert result.returncode == 0, result.stderr
    if "valgrind's headers are missing" in result.stderr:
        pytest.skip("valgrind's headers are not installed")
    assert result.stderr == "left out, as they have processes of their own: memory\n"
    assert names(result.stdout) == ["nop()"]
    assert " instr " in result.stdout
