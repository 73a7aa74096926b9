# SPDX-License-Identifier: Apache-2.0
"""Memory that runs out is a MemoryError, wherever it happens.

Each operation of failing_operations.py runs again and again, the n-th allocation failing: one of
tain's libraries (and of libstdc++ for them), or one of Python's.
"""

from __future__ import annotations

import json

import pytest
from failing_memory import ALL_FROM, ONE, compiler
from failing_operations import LEFT_OUT, OPERATIONS
from interpreter import DEBUG, LISTS_SURVIVE

pytestmark = [pytest.mark.bad_input, pytest.mark.slow]

RUN = "from failing_operations import *; main({!r}, {}, only=())"


def outcomes(run, part: str, mode: int) -> list[tuple[str, int, str, list[str]]]:
    assert compiler() is not None
    lines = run(RUN.format(part, mode)).splitlines()
    found = [tuple(json.loads(line)) for line in lines]
    chosen = [name for name in OPERATIONS if name not in LEFT_OUT[part]]
    assert [name for name, _, _, _ in found] == chosen
    assert sum(tries for _, tries, _, _ in found) > 500, "allocations do not fail"
    return found


@pytest.mark.parametrize("mode", [ONE, ALL_FROM])
def test_allocations_of_tain(mode: int, run) -> None:
    """The operation raises MemoryError, or does what it does with memory."""
    others = {name: seen for name, _, _, seen in outcomes(run, "core", mode) if seen}
    assert {name for name, seen in others.items() if seen != ["MemoryError"]} == set(), others


@pytest.mark.only_if(
    not DEBUG and LISTS_SURVIVE, reason="CPython's own failures end in its assertions or crash"
)
def test_allocations_of_python(run) -> None:
    """The process goes on. (CPython itself turns some of its own failures into other errors.)"""
    found = outcomes(run, "python", ONE)
    assert any("MemoryError" in seen for _, _, _, seen in found)
