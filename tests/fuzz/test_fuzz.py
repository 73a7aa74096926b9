# SPDX-License-Identifier: Apache-2.0
"""The fuzzer finds what it is there to find, and reaches what it is there to try."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from actions import ACTIONS, CORE_CLASSES, CORE_FUNCTIONS, PUBLIC_FUNCTIONS
from global_functions import UNBOUNDED
from supervisor import PATIENCE, Outcome, folded, run_many, run_worker
from team import LEFT_OUT, MAIN_ONLY, may_be_shared

import tain

BROKEN = {
    "a crash": ("os.kill(os.getpid(), signal.SIGSEGV)", "died of SIGSEGV after 1 actions"),
    "an abort": ("os.abort()", "died of SIGABRT after 1 actions"),
    "a hang": ("time.sleep(60)", "hangs after 1 actions"),
    "a broken rule": (
        "worker.report_broken_rule(SystemError('returned NULL'))",
        f"ended with status {70} after 1 actions",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_it_finds(what: str, tmp_path: Path) -> None:
    code, told = BROKEN[what]
    script = tmp_path / "worker_that_fails.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import faulthandler, os, signal, sys, time
            from pathlib import Path
            import worker
            faulthandler.register(signal.SIGUSR1)
            worker.Log(Path(sys.argv[3])).write("about to fail")
            {code}
            """
        )
    )
    outcome = run_worker(7, 0.0, tmp_path, script=script, patience=5.0)
    assert not outcome.is_good
    described = outcome.describe()
    assert described.startswith(f"=== seed 7 {told}\n--- last actions\n  1 about to fail\n")


def test_ends_that_are_not_its_own() -> None:
    stuck = (
        'Thread 1 (most recent call first):\n  File "<frozen importlib._bootstrap>", line 9 in a\n'
    )
    assert Outcome(1, -9, True, 1, stuck, [], {}).is_good
    assert not Outcome(1, -9, True, 1, stuck.replace("<frozen", "<other"), [], {}).is_good
    assert Outcome(1, 1, False, 1, "==1==AddressSanitizer: out-of-memory", [], {}).is_good
    assert not Outcome(1, 1, False, 1, "==1==AddressSanitizer: heap-use-after-free", [], {}).is_good


def test_repeated_lines_are_folded() -> None:
    assert folded("a\nb\nb\nb\nc") == "a\nb  (3 times)\nc"


def test_what_it_tries() -> None:
    """Nothing public is left out but what the lists name."""
    assert len({one.__name__ for one in ACTIONS}) > 40
    assert {"_rebuild", "define_type", "register_class", "get_global_func"} <= set(CORE_FUNCTIONS)
    assert {tain.Array, tain.Dict, tain.Function, tain.Device} <= set(CORE_CLASSES)
    assert {"convert", "py_class", "register_object", "type_info"} <= set(PUBLIC_FUNCTIONS)
    assert not [name for name in UNBOUNDED if name.startswith("echo")]


def test_threads(tmp_path: Path) -> None:
    """Four threads act at the same time, and the log says which one does what."""
    outcome = run_worker(3, 1.5, tmp_path, threads=4)
    assert outcome.is_good, outcome.describe()
    assert {f"t{number}" for number in range(4)} <= {line.split()[1] for line in outcome.last}
    assert outcome.succeeded


def test_what_threads_share() -> None:
    assert may_be_shared(tain.List()) and may_be_shared([]) and may_be_shared(iter(tain.List()))
    assert not any(map(may_be_shared, (iter(()), (x for x in [1]), memoryview(b""))))
    assert set(ACTIONS) > LEFT_OUT | MAIN_ONLY


@pytest.mark.slow
def test_each_action_succeeds() -> None:
    """An action that always raises would try nothing. A slow machine gets more time."""
    missing = {one.__name__ for one in ACTIONS}
    for seed in range(20261122, 20261122 + 1000, 100):
        outcomes = run_many(seed, 12.0, 3.0)
        assert [one.describe() for one in outcomes if not one.is_good] == []
        missing -= {name for one in outcomes for name in one.succeeded}
        if not missing:
            break
    assert missing == set()
    assert PATIENCE > 10
