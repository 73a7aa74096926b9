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


HEADER = """\
// SPDX
// A sequence.

namespace tain {
namespace internal {
/// The common base.
template <class T, class Self>
class Base {
 public:
  Base() noexcept {}
  size_t size() const noexcept(!T::kCheck) { return 0; }
  friend bool operator==(const Self& a, const Self& b) noexcept { return true; }

 protected:
  void Grow() {}
};
}  // namespace internal

/// A sequence.
template <class T>
class Seq : public internal::Base<T, Seq<T>> {
 public:
  Seq() = default;
  Seq(const Seq& other) = default;
  explicit Seq(UnsafeInit tag) noexcept : Base(tag) {}
  Seq& operator=(const Seq& other) = default;
  ~Seq() {}
  /// Adds an element.
  void push(T value, Place place = {0, 1}) {}
  void push(int count) {}
  T* get() const { return nullptr; }

 private:
  int Hidden() { return 0; }
};
}  // namespace tain
"""


def test_all_public_members_of_a_class_are_listed(tmp_path: Path) -> None:
    (tmp_path / "seq.h").write_text(HEADER)
    header = importlib.import_module("header_docs").read(tmp_path / "seq.h", "seq.h")
    bases = {"Base": [entity for entity in header.entities if entity.internal]}
    page = "\n".join(importlib.import_module("reference").header_sections(header, bases))
    assert re.findall(r"^#+ (.*)", page, re.MULTILINE) == [
        "`seq.h`", "`Seq`", "`Seq::Seq`", "`Seq::push`", "`Seq::get`", "`Seq::size`",
        "`Seq::operator==`",
    ]  # fmt: skip
    assert "size_t size() const\n" in page
    assert "bool operator==(const Seq& a, const Seq& b)" in page
    assert "void push(T value, Place place = {0, 1})\nvoid push(int count)\n```\n\nAdds" in page


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("cpp_values", "String::size String::c_str ObjectPtr::get ObjectPtr::use_count Any::swap"),
        ("cpp_containers", "Array::push_back List::size Dict::find Map::contains Optional::reset"),
        ("cpp_tensors", "TensorAccess::shape Tensor::View Tensor::read_only"),
    ],
)
def test_members_of_bases_have_headings(page: str, names: str) -> None:
    known = headings(FOLDER / f"{page}.md")
    assert [name for name in names.split() if f"`{name}`" not in known] == []
