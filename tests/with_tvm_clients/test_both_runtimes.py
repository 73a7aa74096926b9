# SPDX-License-Identifier: Apache-2.0
"""tain beside apache-tvm-ffi itself, each with its own runtime in one process.

They have nothing in common but Python's objects and DLPack. All checks of fixtures/both_runtimes.py
run in one process for each order of the imports.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import tain

FIXTURES = Path(__file__).parent / "fixtures"
JOB = FIXTURES / "both_runtimes.py"
CHECKS = re.findall(r"^def check_(\w+)\(", JOB.read_text(encoding="utf-8"), re.MULTILINE)
# The other package imports torch at once, which takes seconds.
NO_TORCH = {"TVM_FFI_DISABLE_TORCH_C_DLPACK": "1"}


@pytest.fixture(scope="module")
def exports(compiled: Callable[..., Path]) -> list[str]:
    """The paths of four modules of tain's headers, and of one of the other headers."""
    headers = Path(os.environ["TAIN_REAL_TVM_FFI"]) / "tvm_ffi" / "include"
    options = ["-O0", "-Wl,--as-needed", *tain.libinfo.cxxflags()]
    options += [f"-L{tain.libinfo.lib_dir()}", "-ltain"]
    theirs = ["-O0", "-std=c++17", "-fvisibility=hidden", "-isystem", str(headers)]
    ours = compiled(FIXTURES / "tain_exports.cc", *options)
    copies = [shutil.copy(ours, ours.with_stem(f"libcopy{k}_exports")) for k in range(2)]
    pair = compiled(FIXTURES / "tain_pair.cc", *options)
    return [*map(str, (ours, *copies, pair)), str(compiled(FIXTURES / "peer_exports.cc", *theirs))]


@pytest.fixture(scope="module", params=["tain", "tvm_ffi"])
def outcomes(request: pytest.FixtureRequest, exports: list[str]) -> dict[str, str]:
    """What each check came to, with this package imported first."""
    path = [os.environ["TAIN_REAL_TVM_FFI"], *filter(None, sys.path)]
    done = subprocess.run(
        [sys.executable, str(JOB), request.param, *exports],
        capture_output=True,
        text=True,
        env={**os.environ, **NO_TORCH, "PYTHONPATH": os.pathsep.join(path)},
        check=False,
        timeout=120,
    )
    found = dict(json.loads(line) for line in done.stdout.splitlines())
    found["end"] = f"exit status {done.returncode}: {done.stderr[-3000:]}"
    return found


@pytest.mark.parametrize("check", CHECKS)
def test_a_check(outcomes: dict[str, str], check: str) -> None:
    assert outcomes.get(f"check_{check}", outcomes["end"]) == "ok"


def test_the_process_ends_well(outcomes: dict[str, str]) -> None:
    assert outcomes["end"] == "exit status 0: "
