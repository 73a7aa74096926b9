# SPDX-License-Identifier: Apache-2.0
"""Whatever Python calls of the bridge runs with its lock held (src/bindings/base/bridge_lock.h)."""

from __future__ import annotations

import re

from lint_sources import ROOT, text

BRIDGE = ROOT / "src" / "bindings"
SOURCES = sorted(path for path in BRIDGE.glob("*/*") if path.name != "bridge_lock.h")

# Functions that take the lock themselves, because their addresses are compared.
LOCK_THEMSELVES = {
    "InstanceDealloc", "SubclassDealloc", "InstanceNew", "InstanceInit", "DataclassInit",
    "ConstructVectorcall",
}  # fmt: skip
# The collector calls these while all other threads are stopped.
WORLD_STOPPED = {"Traverse", "InstanceTraverse", "SubclassTraverse"}
# They touch nothing of the bridge's: CPython's own, and three that read or drop constants.
NEED_NONE = {
    "PyObject_HashNotImplemented", "PyObject_SelfIter", "PyObject_GenericGetAttr",
    "PyVectorcall_Call", "PyObject_GC_Del", "Py_GenericAlias", "RefuseNew", "GetClass",
    "RefuseAssignment", "Dealloc",
}  # fmt: skip
# They are chosen here and called by functions that have the lock.
CALLED_INSIDE = {"CallConverting", "CallCore", "StepShape", "StepSeq", "StepMap"}

ENTRIES = [
    re.compile(r"\bSlot\(Py_\w+,\s*&(\w+)"),
    re.compile(r"\{Py_\w+, reinterpret_cast<void\*>\(&(\w+)"),
    re.compile(r"\bMethodPointer\(&(\w+)"),
    re.compile(r"\{\"\w+\",\s*&(\w+)"),
    re.compile(r"\btp_\w+ = &(\w+)"),
    re.compile(r"\bSlot\([\w.\[\]]+,\s*&(\w+)"),
    # what one of two functions is chosen for
    re.compile(r"\? &([A-Z]\w+)"),
    re.compile(r"\?[^;?]*: &([A-Z]\w+)"),
]


def test_tables_have_functions_that_take_the_lock() -> None:
    allowed = LOCK_THEMSELVES | WORLD_STOPPED | NEED_NONE | CALLED_INSIDE
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in SOURCES
        for pattern in ENTRIES
        for name in pattern.findall(text(path))
        if name not in allowed
    ]
    assert not found, "write kLocked<&F> instead of &F"


def test_those_that_lock_themselves_do() -> None:
    code = "\n".join(text(path) for path in SOURCES if path.suffix == ".cc")
    for name in LOCK_THEMSELVES:
        body = re.search(
            rf"^\w[\w* ]* {name}\([^;{{]*\) \{{\n((?:(?:  |#).*\n)*)", code, re.MULTILINE
        )
        assert body and "const BridgeLock lock;" in body[1], name


def test_classes_and_functions_of_nanobind_take_it() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in SOURCES
        for name in re.findall(r"nb::class_<|nb::module_& m\b", text(path))
    ]
    assert not found, "write CoreClass and CoreModule, whose functions take the lock"
