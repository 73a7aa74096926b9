# SPDX-License-Identifier: Apache-2.0
"""The variables of the bridge stand in the state of their folder, and nowhere else."""

from __future__ import annotations

import re

import pytest
from lint_sources import CPP, ROOT, code, files
from lint_sources import text as text_of

BRIDGE = ROOT / "src" / "bindings"
STATE = BRIDGE / "base" / "state.h"

# The variables that stand outside, by file; state.h says why.
OUTSIDE = {
    "base/bridge_lock.h": {"is_inside"},
    "base/error_class.cc": {"is_inside"},
    "base/gil.cc": {"seen"},
    "base/recursion.cc": {"stack_limit"},
    "base/recursion.h": {"stack_limit"},
    "base/single_interpreter.cc": {"has_ended", "of_main"},
    "objects/direct_call.h": {"innermost"},
    "objects/instance.cc": {"is_tracking"},
    "values/argument_protocols.cc": {"no_protocols"},
    "values/given.h": {"own_sources"},
}
# The states themselves, and the hooks, which do not change once the module exists.
STATES = {
    "base/hooks.h": {"hooks"},
    "base/state.h": {"base_state"},
    "objects/gc_state.h": {"gc_state"},
}
for _folder in (*("api", "calls", "classes", "containers", "objects", "tensors", "values"),):
    STATES[f"{_folder}/state.h"] = {f"{_folder}_state"}
# CPython takes its tables by pointers that are not const, and writes nothing there.
TABLE = re.compile(r"\bPy(MethodDef|MemberDef|GetSetDef|Type_Slot|Type_Spec)\b")

# A declaration up to its parameters, initializer or end. clang-format indents nothing in
# namespaces, so those of a namespace begin a line; others live on by one of three words.
_DECLARATION = re.compile(
    r"^(?:\} )?[A-Za-z_][^;={}()]*[;={(]"
    r"|\b(?:static|thread_local|TAIN_FAST_THREAD_LOCAL)\b[^;={}()]*[;={(]",
    re.MULTILINE,
)
_TYPE_OR_NAME = re.compile(
    r"^(using|typedef|template|friend|namespace|inline namespace|extern \"\"|"
    r"(struct|class|union|enum|enum class) [\w:<>* ]+(final )?$|"
    r"(public|private|protected|default)\b)"
)


def variables(source: str) -> list[str]:
    """Return the declarations of variables that outlive a call, without initializers."""
    found = []
    lines = "\n".join(line for line in source.splitlines() if not line.lstrip().startswith("#"))
    for match in _DECLARATION.finditer(lines):
        declared = " ".join(match[0][:-1].replace("}", "").split())
        if match[0][-1] != "(" and not _TYPE_OR_NAME.match(declared):
            found.append(declared)
    return found


def is_constant(declaration: str) -> bool:
    """Return whether the variable itself cannot change: what it points to is another matter."""
    if TABLE.search(declaration) or re.search(r"\bconstexpr\b", declaration):
        return True
    return re.search(r"\bconst\b", re.split(r"[*&]", declaration)[-1]) is not None


def name_of(declaration: str) -> str:
    """Return the name of the variable."""
    return re.findall(r"\w+", re.sub(r"\[[^]]*\]", "", declaration))[-1]


def test_what_changes_stands_in_the_state() -> None:
    found = {
        (path.relative_to(BRIDGE).as_posix(), name_of(declaration))
        for path in files("src/bindings", suffixes=CPP)
        for declaration in variables(code(path))
        if not is_constant(declaration)
    }
    expected = {**OUTSIDE, **STATES}
    assert found == {(file, name) for file, names in expected.items() for name in names}


def test_the_state_names_what_stands_outside() -> None:
    head = text_of(STATE).split("#pragma once")[0]
    names = {name for names in OUTSIDE.values() for name in names}
    assert {name for name in names if f"`{name}`" not in head} == set()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("int count = 0;", "count"),
        ("std::atomic<Entry*> head{nullptr};", "head"),
        ("extern std::array<Entry, 256> cache;", "cache"),
        ("const char* name = nullptr;", "name"),
        ("struct Where {\n  int at;\n} where{0};", "where"),
        ("void F() {\n  static auto& known = *new Table();\n}", "known"),
        ("void F() {\n  static PyObject* name = Make();\n}", "name"),
        ("void F() {\n  constinit static TAIN_FAST_THREAD_LOCAL int seen = 0;\n}", "seen"),
        ("class Uses {\n  static Uses* first;\n};", "first"),
        ("thread_local int level;", "level"),
        ("static const TainObject* first_room[kFirstRoom];", "first_room"),
        ("const char* const name = nullptr;", None),
        ("constexpr int kMost = 3;", None),
        ("PyMethodDef methods[] = {{nullptr}};", None),
        ("void F() {\n  int here = 0;\n}", None),
        ("int F(int a);", None),
        ("class Uses {\n  static void Add(int a);\n};", None),
        ("struct Where {\n  int at = 0;\n};", None),
        ("using Table = int;", None),
        ("void F() {\n  static const Table known = Make();\n}", None),
    ],
)
def test_variables_are_found(source: str, expected: str | None) -> None:
    found = [name_of(one) for one in variables(source) if not is_constant(one)]
    assert found == ([] if expected is None else [expected])
