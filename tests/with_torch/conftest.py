# SPDX-License-Identifier: Apache-2.0
"""Each of these tests needs a package, mostly PyTorch: pip install "tain[test-torch]"."""

from __future__ import annotations

from optional import left_out, pytest_terminal_summary

__all__ = ["collect_ignore", "pytest_terminal_summary"]

NEEDS = {
    "test_torch.py": ["package torch"],
    "test_torch_rows.py": ["package torch"],
    "test_torch_benchmarks.py": ["package torch"],
    "test_ml_dtypes.py": ["package ml_dtypes"],
}
collect_ignore = left_out(__file__, NEEDS, 'pip install "tain[test-torch]"')
