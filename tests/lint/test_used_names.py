# SPDX-License-Identifier: Apache-2.0
"""Each function of libtain and of the bridge is used."""

from __future__ import annotations

import re

from lint_sources import CPP, ROOT, code, files, relative

# clang-format indents nothing in namespaces: a line that is not indented declares or defines.
_DECLARED = re.compile(
    r"^(?!#|using\b|return\b)[A-Za-z_][\w:<>*&,\[\]\" ]*?[ *&](\w+)\(", re.MULTILINE
)
_CALL = re.compile(r"\b(\w+)\(")
_VALUE = re.compile(r"\b(\w+)\b(?!\()")
# The C functions are for others; CPython calls the entry point.
_FOR_OTHERS = ("Tain", "TVMFFI", "PyInit", "NB_MODULE")


def uses(source: str) -> set[str]:
    """Return the names that code mentions otherwise than to declare or define a function."""
    found = set(_VALUE.findall(source))
    for line in source.splitlines():
        calls = _CALL.findall(line)
        found.update(calls[1:] if _DECLARED.match(line) else calls)
    return found


def test_functions_are_used() -> None:
    used: set[str] = set()
    for path in files("src", "include", "tests/cpp", "examples", "benchmarks", suffixes=CPP):
        used |= uses(code(path))
    public = {
        name for path in files("include", suffixes=CPP) for name in _DECLARED.findall(code(path))
    }
    unused = {
        f"{relative(path)}: {name}"
        for path in files("src", suffixes=CPP)
        for name in _DECLARED.findall(code(path))
        if name not in used | public and not name.startswith(_FOR_OTHERS)
    }
    assert not unused, "\n".join(sorted(unused))


def test_an_unused_function_is_found() -> None:
    source = "int Used(int x);\nint Unused(int x) {\n  return Used(x);\n}\n"
    declared = set(_DECLARED.findall(source))
    assert declared - uses(source) == {"Unused"}
    assert (ROOT / "src").is_dir()
