# SPDX-License-Identifier: Apache-2.0
"""No recursive operation outgrows the C stack: on any chain it works or raises RecursionError.

The operations run in deep_chains.py, each in a process of its own. Where Python recurses itself
(dataclasses.asdict, rich, IPython), the stack is the smallest one on which it comes through with
nested lists.
"""

from __future__ import annotations

import pytest
from deep_chains import CHAINS, DATACLASSES, KIB, OF_PYTHON, OF_PYTHON_ALONE, OPERATIONS
from interpreter import DEBUG

# Chains that everything goes along without recursion.
OBJECTS = {"objects", "children", "values", "vectors"}
OF_TAIN = [name for name in CHAINS if name not in OF_PYTHON_ALONE]
USUAL = 0  # the stack of the main thread
MILLION = 1_000_000

# (chain, stack, depth, recursion limit)
CASES = [
    *((chain, USUAL, 1_500 if chain in OBJECTS else 5_000, 1000) for chain in OF_TAIN),
    *((chain, 128 * KIB, 1_500 if chain in OBJECTS else 5_000, 1_000_000) for chain in OF_TAIN),
    *((chain, 256 * KIB, 5_000, 1_000_000) for chain in ("Array", "values")),
]
# With CPython's own assertions a step takes five times as long.
LONG, SHORTER = (MILLION // 5, 40_000) if DEBUG else (MILLION, 200_000)
# Pickles of a long chain of objects are linear, and take their time; so do copies by Python.
BUT_PICKLES = tuple(name for name in OPERATIONS if name not in ("pickle", "unpickle"))
BUT_COPIES = tuple(name for name in OPERATIONS if name not in ("deepcopy", "pickle", "unpickle"))
SLOW = [
    *((chain, USUAL, LONG, 1000, ()) for chain in OF_TAIN if chain not in OBJECTS),
    *((chain, USUAL, 100_000, 1_000_000, ()) for chain in ("Array", "Dict", "values")),
    *((chain, USUAL, LONG, 1000, BUT_PICKLES) for chain in ("objects", "values")),
    *((chain, USUAL, SHORTER, 1000, BUT_COPIES) for chain in ("children", "vectors")),
]

RUN = "from deep_chains import *; main({!r}, {}, {}, {}, {!r})"


def check(run, chain: str, stack: int, depth: int, limit: int, only: tuple[str, ...] = ()) -> None:
    lines = run(RUN.format(chain, stack, depth, limit, only)).splitlines()
    came = dict(line.split(": ") for line in lines)
    assert len(came) >= len(only)
    bounded = {"fine"} if chain in OBJECTS else {"fine", "RecursionError"}
    assert {name: what for name, what in came.items() if what not in bounded} == {}
    always = {"repr", "str", "copy", "deepcopy", "gc", "html", "free"} & came.keys()
    assert {name: came[name] for name in always if came[name] != "fine"} == {}


@pytest.mark.bad_input
@pytest.mark.parametrize(("chain", "stack", "depth", "limit"), CASES)
def test_chains(chain: str, stack: int, depth: int, limit: int, run) -> None:
    check(run, chain, stack, depth, limit)


@pytest.mark.slow
@pytest.mark.parametrize(("chain", "stack", "depth", "limit", "only"), SLOW)
def test_long_chains(
    chain: str, stack: int, depth: int, limit: int, only: tuple[str, ...], run
) -> None:
    check(run, chain, stack, depth, limit, only)


@pytest.mark.bad_input
@pytest.mark.parametrize("stack", [USUAL, 128 * KIB])
@pytest.mark.parametrize("chain", OF_PYTHON_ALONE)
def test_conversion_of_deep_python_containers(chain: str, stack: int, run) -> None:
    """The rest of what can be done with these is Python's own."""
    check(run, chain, stack, MILLION // 10, 1_000_000, ("convert", "a key", "copy"))


@pytest.mark.bad_input
@pytest.mark.parametrize("operation", OF_PYTHON)
@pytest.mark.parametrize("chain", OF_TAIN)
def test_what_recurses_in_python(chain: str, operation: str, run) -> None:
    if operation == "asdict" and chain not in DATACLASSES:
        return  # TypeError: no dataclass
    out = run(f"from deep_chains import *; main_of_python({chain!r}, {operation!r}, 2_000)")
    assert set(out.split()) <= {"fine", "RecursionError"}
