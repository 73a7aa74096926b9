# SPDX-License-Identifier: Apache-2.0
"""docs/reference.md and docs/reference say what registry and headers say now, each name once."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "reference"
PAGES = sorted(FOLDER.glob("*.md"))
sys.path.append(str(ROOT / "tools"))  # last: tests have modules of the same names


def headings(page: Path) -> list[str]:
    return re.findall(r"^#{2,4} (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_reference_is_current() -> None:
    command = [sys.executable, str(ROOT / "tools" / "reference.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_name_has_one_heading(page: Path) -> None:
    names = headings(page)
    assert len(names) > 3
    assert sorted(names) == sorted(set(names))
    assert "private:" not in page.read_text(encoding="utf-8")


def test_public_names_of_python_have_headings() -> None:
    known = {heading for page in PAGES for heading in headings(page)}
    for module in ("tain", "tain.cpp", "tain.libinfo", "tain.testing"):
        for name in importlib.import_module(module).__all__:
            assert f"`{name}`" in known


def test_parameters_are_documented() -> None:
    text = (FOLDER / "python.md").read_text(encoding="utf-8")
    section = text.partition("### `load_library`")[2].partition("\n### ")[0]
    assert "**Parameters**\n\n- `path` (`str or os.PathLike`): A file" in section
    assert "- `FileNotFoundError`: There is no such file." in section


DECLARATIONS = {
    "size_t size() const requires(kReadable && kRank > 0)": "size",
    "const T& operator[](int64_t i) const": "operator[]",
    "R operator()(A&&... args) const": "operator()",
    "operator std::string() const": "operator std::string",
    "using Row": "Row",
    "enum class EnumKind": "EnumKind",
    "TAIN_VIRTUAL(kind) virtual String kind_impl() const": "kind",
    "std::vector<std::pair<int, int>> pairs(int n)": "pairs",
    "int64_t kAnyRank = -1": "kAnyRank",
}


@pytest.mark.parametrize(("declaration", "name"), DECLARATIONS.items())
def test_names_of_declarations(declaration: str, name: str) -> None:
    assert importlib.import_module("header_docs").name_of(declaration) == name


def test_a_function_with_a_condition_has_a_body(tmp_path: Path) -> None:
    header = tmp_path / "view.h"
    header.write_text(
        "// SPDX\n// A view.\n\nclass View {\n public:\n"
        "  /// The number of elements.\n  int size() const requires(kRank > 0) { return 1; }\n"
        "  auto begin() const requires(kRank > 0) { return 0; }\n\n"
        " private:\n  struct Nothing {};\n};\n"
    )
    entities = importlib.import_module("header_docs").read(header, "view.h").entities
    assert [entity.declaration for entity in entities] == ["int size() const requires(kRank > 0)"]
