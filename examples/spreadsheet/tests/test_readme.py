# SPDX-License-Identifier: Apache-2.0
"""The README against what the scripts print: the table, the code and the commands."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE))

import count_lines  # noqa: E402

README = (HERE / "README.md").read_text(encoding="utf-8")


def printed(*arguments: str) -> str:
    command = [sys.executable, str(HERE / "run.py"), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_the_table_has_the_counts() -> None:
    assert count_lines.table() in README


def test_every_line_for_python_counts() -> None:
    for engine, names in count_lines.FILES.items():
        for name in names:
            text = (HERE / name).read_text(encoding="utf-8")
            head = text[: re.search(r"(//|#) \[", text).start()]  # type: ignore[union-attr]
            kinds = {line.split()[0] for line in head.splitlines() if line.strip()}
            assert not kinds & {"class", "def", "struct", "template", ".def"}, (engine, name)
    files = {str(p.relative_to(HERE)) for p in HERE.glob("**/*") if p.suffix in {".cc", ".h"}}
    counted = {name for names in count_lines.FILES.values() for name in names}
    counted |= {name for names in count_lines.CLASSES.values() for name in names}
    for name in files - counted:  # the engine itself, which no Python and no binding needs
        text = (HERE / name).read_text(encoding="utf-8")
        assert name.endswith("cc") or not re.search("tain|nanobind", text), name


def test_the_output_of_the_script() -> None:
    (shown,) = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
    assert printed() == shown
    if importlib.util.find_spec("spreadsheet_nb") is not None:
        assert printed("--nanobind") == shown


def test_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"\)  # (.+)$", code, re.MULTILINE)


def test_the_stubs(tmp_path: Path) -> None:
    """The row of the table: a command writes them, and a type checker would see the errors."""
    command = "python -m tain stubgen --types spreadsheet --import spreadsheet"
    assert command in README.replace("\n  ", " ")
    arguments = [sys.executable, *command.split()[1:], "--output", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    subprocess.run(arguments, env=environment, capture_output=True, check=True)
    (stub,) = (tmp_path / "tain-stubs" / "types").rglob("spreadsheet*/__init__.pyi")
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    assert {"Sheet", "Cell", "Expr", "Op", "CycleError", "ParseError"} <= set(classes)
    members = [ast.unparse(node) for node in classes["CycleError"].body]
    assert any("def path(self) -> tain.Array[str]:" in member for member in members)
    subprocess.run([*arguments, "--check"], env=environment, capture_output=True, check=True)
