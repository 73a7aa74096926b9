# SPDX-License-Identifier: Apache-2.0
"""benchmarks/run.py: it builds, runs, and prints and writes its table. No time is checked."""

from __future__ import annotations

import importlib
import json
import os
import re
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
    "classes of another library": {
        "constructor",
        "result by reference, known to Python",
        "result by shared_ptr, new to Python",
        "(shared_ptr, float), known to Python",
        "override called by C++",
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
    "arrays": {
        "float32 vector to TensorView",
        "float32 vector to TensorRef<const float, 1>",
        "array kept by C++",
        "result of 3 floats as an array of numpy",
        "eight arrays in one call",
        "array of 1 GB to TensorView",
    },
    "arrays of PyTorch": {"torch vector to TensorView", "eight torch tensors in one call"},
}


not_sanitized = pytest.mark.only_if(
    not SANITIZED, reason="the sanitizer needs more addresses than a run may have, and no valgrind"
)


def start(*options: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(RUN), "--quick", "--contenders", "tain,c", *options]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=280, env=env
    )


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
        assert {*row.other, *row.stmts} <= set(contenders.NAMES), row.name
        assert row.series == "" or row.series in rows.GROWTH, row.name
        for stmt in (row.stmt, *row.stmts.values()):
            compile(f"{row.setup}\n{stmt}", row.name, "exec")


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
    line, write = module("report").Line, module("page").write
    page = tmp_path / "performance.md"
    calls = line("f()", "ns", {"tain": 30.0, "nanobind": 20.0, "tvm": 90.0}, group="calls")
    more = line("g()", "us", {"tain": 3.0, "tvm": 6.0}, {"tain": 0.04}, {"tvm": 0.6}, "more")
    first = line("each further f()", "ns", {"tain": 1.0}, group="how costs grow")
    write(page, [calls, more, first], "--quick", load="0.5")
    text = page.read_text()
    assert "| f() | 30.0 ns |  | 1.50 |  |  |  | 0.33 |  |  |  |\n| **more** |" in text
    assert "| g() | 3.00 us | 4% |  |  |  |  | 0.50 |  |  | <= 0.6 x tvm |" in text
    assert re.search(r"\| calls; more \| [\d-]+ \| `run.py --quick` \| .* \| 0.5 \|\n\n", text)


def test_page_keeps_the_rows_of_groups_that_are_not_measured(module: Any, tmp_path: Path) -> None:
    line, write = module("report").Line, module("page").write
    page = tmp_path / "performance.md"
    grow = "how costs grow"
    old = [
        *(line(name, "ns", {"tain": 30.0, "nanobind": 20.0}, group="calls") for name in "ab"),
        line("each a", "ns", {"tain": 1.0}, group=grow),
        line("graph", "us", {"tain": 3.0, "dump": 60.0}, {}, {"dump": 1 / 20}, "graphs compared"),
        *(line(f"each {name}", "x", {"tain": 1.5}, group=f"graphs: {grow}") for name in "bc"),
    ]
    write(page, old, "", load="1.0")
    before = page.read_text().splitlines()
    compared = "| graph | 3.00 us |  |  |  | 0.05 |  |  | <= 0.05 x ast.dump |"
    assert compared in before and "| a | 30.0 ns |  | 1.50 |  |  |  |  |  |  |  |" in before
    new = [
        line("other", "us", {"tain": 4.0, "hand": 2.0}, {}, {"hand": 3}, "graphs compared"),
        line("each c", "x", {"tain": 1.25}, group=f"graphs: {grow}"),
    ]
    write(page, new, "graphs", load="2.0")
    after = page.read_text().splitlines()
    assert (
        compared not in after
        and "| other | 4.00 us |  |  | 2.00 |  |  |  | <= 3 x by hand |" in after
    )
    gone = {row for row in before if row not in after}
    added = {row for row in after if row not in before}
    assert [{row.split(" | ")[0] for row in rows} for rows in (gone, added)] == [
        {"| graph", "| each c", "| calls; graphs compared"},
        {"| other", "| each c", "| calls", "| graphs compared"},
    ]
    write(page, [], "", load="3.0")
    assert page.read_text().splitlines() == after


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
            "tain,nanobind,nanobind_args,nanobind_record,pybind11,tvm,torch,c, got cython",
        ),
        (
            ("graphs", "nop()", "--write-docs"),
            "run.py: error: --write-docs: expected groups, which are written whole, got 'nop()'",
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
    result = start(*GROUPS)
    assert result.returncode == 0, result.stderr
    found = names(result.stdout)
    rows = module("rows")
    without = "left out, as torch cannot be imported: arrays of PyTorch\n" in result.stderr
    assert [name for name in found if name in {row.name for row in rows.ROWS}] == [
        row.name for row in rows.ROWS if not (without and row.needs == "torch")
    ]
    # Beside those that the noise of so short a run may hide: what one more unit costs.
    growth = {name for name, _ in rows.GROWTH.values()}
    assert {"field, depth 8 over depth 0", "method, depth 8 over depth 0"} <= growth & {*found}


@pytest.mark.slow
def test_functions_of_arrays_do_what_their_rows_say() -> None:
    code = f"""
import sys
sys.path.insert(0, {str(FOLDER)!r})
import contenders, numpy, tain
x = numpy.zeros(4, numpy.float32)
for name in ("tain", "c"):
    m = contenders.load(name)
    assert [m.array_view(x), m.array_ref(x), m.eight_arrays(*[x] * 8)] == [4, 4, 32]
    assert m.echo_any(x) is x and m.echo_array(x) is x
    assert isinstance(m.new_array(), tain.Tensor if name == "tain" else numpy.ndarray)
    assert numpy.asarray(m.new_array()).tolist() == [0, 1, 2]
    before = sys.getrefcount(x)
    assert m.keep_array(x) == 4 and sys.getrefcount(x) == before + 1
    assert m.keep_array(numpy.zeros(2)) == 2 and sys.getrefcount(x) == before
    for wrong in (numpy.zeros(4), numpy.zeros((4, 4), numpy.float32)):
        try:
            m.array_ref(wrong)
        except TypeError:
            continue
        raise AssertionError(wrong)
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=280)


@pytest.mark.slow
def test_rows_of_a_module_that_cannot_be_imported_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('none here')")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    result = start("array kept", "eight", env=environment)
    assert result.returncode == 0, result.stderr
    assert result.stderr == "left out, as torch cannot be imported: arrays of PyTorch\n"
    assert "eight arrays in one call" in names(result.stdout)
    assert "eight torch tensors in one call" not in names(result.stdout)


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
def test_inline_sources_are_built_at_first_later_and_before() -> None:
    assert names(run("inline")) == [
        f"{kind}: {build}"
        for kind in ("Array<double>", "TensorView")
        for build in ("first build", "later build", "built before")
    ]


@pytest.mark.slow
def test_compile_has_time_and_size() -> None:
    assert names(run("compile")) == [
        "compile 50 types x 5 fields x 5 methods",
        "code and data of 50 types x 5 fields x 5 methods",
        "compile 9 types with members of standard types",
        "code and data of 9 types with members of standard types",
        "compile one function of an array, nanobind with its own sources",
    ]


@not_sanitized
@pytest.mark.slow
def test_graphs_have_each_operation_with_its_contender_and_target(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    found = names(run("graphs", "--json", str(file)))
    rows = {row["name"]: row for row in json.loads(file.read_text())["rows"]}
    assert [*rows] == found
    beside = {
        "structural_equal, 8 files": {"dump": 1 / 20},
        "structural_hash, 8 files": {"dump": 1 / 20},
        "save_binary, 8 files": {"pickle": 1 / 3},
        "load_binary, 8 files": {"pickle": 1 / 3},
        "size of save_binary, 8 files": {"pickle": 1 / 2},
        "save_json, 8 files": {"json": 1 / 2},
        "load_json, 8 files": {"json": 1 / 2},
        "dispatch alone, a node of 8 files": {"hand": 1.5},
        "counting visitor, a node of 8 files": {"hand": 3},
        "identity mutator, a node of 8 files": {"hand": 3},
    }
    for name, targets in beside.items():
        assert rows[name]["targets"] == targets, name
        assert rows[name]["values"].keys() == {"tain", *targets}, name
    for shape in ("tree", "ladder"):
        for operation in ("structural_equal", "save_json", "load_binary", "visit in C++"):
            assert rows[f"{shape} of 10^5: {operation}"]["values"]["tain"] > 0


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
