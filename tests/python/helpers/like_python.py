# SPDX-License-Identifier: Apache-2.0
"""Containers that behave as Python's do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def check_both(
    act: Callable[[Any], object], plain: Any, mine: Any, contents: Callable[[Any], object] = list
) -> None:
    """Do the same to a container of Python's and to one of tain's.

    Results, errors and contents must be the same; an operation that returns the container itself
    does so for both.
    """
    outcomes = []
    for target in (plain, mine):
        try:
            outcomes.append(("result", act(target)))
        except Exception as error:
            outcomes.append(("error", type(error)))
    expected, got = outcomes
    if expected[1] is plain:
        assert got[1] is mine
    else:
        assert got == expected
    assert contents(mine) == contents(plain)
