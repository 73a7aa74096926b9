# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without a GPU of NVIDIA: bash tests/with_gpu/run.sh."""

from __future__ import annotations

import importlib
import warnings
from pathlib import Path

import pytest
from optional import left_out, pytest_terminal_summary

__all__ = ["collect_ignore", "pytest_collection_modifyitems", "pytest_terminal_summary"]

GPU = ["gpu NVIDIA", "program nvcc"]
NEEDS = {
    "test_gpu_torch.py": [*GPU, "package torch"],
    "test_gpu_streams.py": [*GPU, "package torch"],
    "test_gpu_memory.py": [*GPU, "package torch"],
    "test_gpu_refusals.py": [*GPU, "package torch"],
    "test_gpu_cupy.py": [*GPU, "package cupy"],
}
collect_ignore = left_out(__file__, NEEDS, "run tests/with_gpu/run.sh on a machine that has them")

# What these libraries warn of while they are imported is not tain's.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    for file, package in (("test_gpu_torch.py", "torch"), ("test_gpu_cupy.py", "cupy")):
        if file not in collect_ignore:
            importlib.import_module(package)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Warnings are errors if they are about tain; those of the other libraries are theirs."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore", "error:::tain"))
