# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without the libraries: pip install "tain[test-data]"."""

from __future__ import annotations

from optional import left_out, pytest_terminal_summary

__all__ = ["collect_ignore", "pytest_terminal_summary"]

NEEDS = {
    "test_data.py": ["package msgspec", "package pandas", "package polars", "package pydantic"],
}
collect_ignore = left_out(__file__, NEEDS, 'pip install "tain[test-data]"')
