# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without basedpyright: pip install "tain[test-stubs]"."""

from __future__ import annotations

from optional import left_out, pytest_terminal_summary

__all__ = ["collect_ignore", "pytest_terminal_summary"]

NEEDS = {
    "test_pyright.py": ["package basedpyright"],
}
collect_ignore = left_out(__file__, NEEDS, 'pip install "tain[test-stubs]"')
