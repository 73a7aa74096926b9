# SPDX-License-Identifier: Apache-2.0
"""Each file begins with its licence and, in one line, what it is for."""

from __future__ import annotations

import ast
from pathlib import Path

from lint_sources import CPP, files, relative, text

LICENCE = "SPDX-License-Identifier: Apache-2.0"
CPP_FOLDERS = ("include", "src", "tests/cpp", "tests/testing_lib", "benchmarks")
PYTHON_FOLDERS = ("python", "tests", "tools", "benchmarks")


def cpp_fault(path: Path) -> str | None:
    """Return what is wrong with the head of a C++ file."""
    first, _, rest = text(path).partition("\n")
    if first != f"// {LICENCE}":
        return f"first line: expected '// {LICENCE}'"
    second = rest.partition("\n")[0]
    if not second.startswith("// ") or len(second) < 20:
        return "second line: expected '// ' and what the file is for"
    return None


def python_fault(path: Path) -> str | None:
    """Return what is wrong with the head of a Python file."""
    source = text(path)
    if not source.strip():
        return None
    lines = source.splitlines()
    if lines[0].startswith("#!"):
        del lines[0]
    if lines[0] != f"# {LICENCE}":
        return f"first line: expected '# {LICENCE}'"
    if not ast.get_docstring(ast.parse(source)):
        return "expected a docstring that says what the file is for"
    return None


def test_cpp_files_name_licence_and_purpose() -> None:
    sources = files(*CPP_FOLDERS, suffixes=CPP)
    assert sources
    faults = [f"{relative(path)}: {fault}" for path in sources if (fault := cpp_fault(path))]
    assert not faults, "\n".join(faults)


def test_python_files_name_licence_and_purpose() -> None:
    sources = files(*PYTHON_FOLDERS, suffixes=(".py",))
    assert sources
    faults = [f"{relative(path)}: {fault}" for path in sources if (fault := python_fault(path))]
    assert not faults, "\n".join(faults)


def test_headers_are_included_once() -> None:
    headers = files("include", "src", suffixes=(".h",))
    faults = [relative(path) for path in headers if "\n#pragma once\n" not in text(path)]
    assert not faults, f"expected #pragma once in {faults}"


def test_anonymous_namespaces_stand_apart() -> None:
    """Neither in each other nor in a row: then they are one."""
    faults = []
    for path in files(*CPP_FOLDERS, suffixes=CPP):
        depth, closed = 0, False
        for number, line in enumerate(text(path).splitlines(), 1):
            if line == "namespace {":
                if depth or closed:
                    faults.append(f"{relative(path)}:{number}")
                depth += 1
            elif line == "}  // namespace":
                depth, closed = depth - 1, True
                continue
            elif not line:
                continue
            closed = False
    assert not faults, faults
