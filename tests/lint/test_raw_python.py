# SPDX-License-Identifier: Apache-2.0
"""The bridge is nanobind; where it is not is listed here, and raw_types.md says why."""

from __future__ import annotations

import re

import pytest
from lint_sources import CPP, files, matches, room_of

# The hot types; docs/contributing/raw_types.md has the reason and the measurement of each.
RAW_TYPES = {
    *("objects/instance", "classes/class_factory", "calls/method_descr", "calls/function_class"),
    *("containers/iter", "classes/nested_classes"),
}

# Slots and vectorcalls that CPython calls directly, and the handle class (py.h): there a reference
# is counted by hand. Elsewhere Py_NewRef says who gets the new reference, or a handle holds it.
COUNTED = RAW_TYPES | {
    *("base/py", "classes/field_descr", "classes/constructor", "values/to_python"),
    *("values/from_python",),
}

GIL_FILE = {"base/gil"}

RULES = {
    "raw type creation": (
        re.compile(r"\bPyType_(From\w+|Ready)\b|\bPyType_Spec\b|\bPyTypeObject\s+\w+\s*[={]"),
        RAW_TYPES,
    ),
    "reference counting by hand": (
        re.compile(r"\bPy_X?INCREF\b"),
        COUNTED,
    ),
    "GIL operation": (
        re.compile(
            r"\bPyGILState_\w+|\bPyEval_(SaveThread|RestoreThread|AcquireThread|ReleaseThread)\b"
            r"|\bPy_(BEGIN|END)_ALLOW_THREADS\b|\bgil_scoped_(acquire|release)\b"
        ),
        GIL_FILE,
    ),
    # Without memory nb::dict() holds null, and the caster of std::string ends the process: NewDict,
    # NewList and TextFrom of py.h raise.
    "what nanobind does without memory": (
        re.compile(r"\bnb::(dict|list)( \w+;|\(\))|\bnb::cast<std::string>"),
        {"base/py", "classes/object_state"},
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_raw_python_only_where_allowed(rule: str) -> None:
    pattern, allowed = RULES[rule]
    sources = files("src/bindings", suffixes=CPP)
    assert sources
    faults = [
        match
        for path in sources
        if room_of(path) not in allowed
        for match in matches(path, pattern)
    ]
    assert not faults, "\n".join([f"{rule} outside {sorted(allowed)}:", *faults])


@pytest.mark.parametrize("rule", RULES)
def test_public_headers_do_none_of_it(rule: str) -> None:
    """Also the interop headers, which do see Python, leave it to nanobind and the bridge."""
    pattern, _ = RULES[rule]
    faults = [m for path in files("include", suffixes=CPP) for m in matches(path, pattern)]
    assert not faults, "\n".join(faults)


def test_allowed_rooms_exist() -> None:
    rooms = {room_of(path) for path in files("src/bindings", suffixes=CPP)}
    assert rooms >= RAW_TYPES | COUNTED | GIL_FILE


def test_what_the_bridge_caught_is_described_there() -> None:
    """It may have a C++ runtime of its own, so internal/caught.h is compiled into it."""
    pattern = re.compile(r"\bTainErrorSetFromException\b")
    faults = [m for path in files("src/bindings", suffixes=CPP) for m in matches(path, pattern)]
    assert not faults, "\n".join(faults)
