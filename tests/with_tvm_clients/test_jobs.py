# SPDX-License-Identifier: Apache-2.0
"""Published packages that are compiled for apache-tvm-ffi do the same on tain as on that package.

Each job prints what it gets; it runs once in an environment where `tain_tvm_ffi provide` stands in
for the package, and once with the package itself, which lies in the folder TAIN_REAL_TVM_FFI.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

JOBS = Path(__file__).parent / "jobs"
REAL = os.environ.get("TAIN_REAL_TVM_FFI", "")
PACKAGES = {
    "jax_job": "jax-tvm-ffi",
    "orcjit_job": "apache-tvm-ffi-orcjit",
    "tokenspeed_job": "tokenspeed-kernel",
    "xgrammar_job": "xgrammar",
}


def is_here(package: str) -> bool:
    try:
        return bool(metadata.version(package))
    except metadata.PackageNotFoundError:
        return False


def output_of(job: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, str(JOBS / f"{job}.py")],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_job_has_a_package() -> None:
    assert {path.stem for path in JOBS.glob("*.py")} == set(PACKAGES)


@pytest.mark.parametrize("job", [job for job, package in PACKAGES.items() if is_here(package)])
def test_a_job_does_the_same(job: str) -> None:
    assert metadata.version("apache-tvm-ffi").endswith("+tain")
    on_tain = output_of(job)
    assert on_tain
    assert on_tain == output_of(job, PYTHONPATH=REAL)
