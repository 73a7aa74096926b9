# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without TAIN_WHEELS: the folder of the wheel that is tested.

They install packages of others, such as JupyterLab, into environments of their own.
"""

from __future__ import annotations

from optional import left_out, pytest_terminal_summary

__all__ = ["collect_ignore", "pytest_terminal_summary"]

NEEDS = {
    "test_first_hour.py": ["variable TAIN_WHEELS"],
}
collect_ignore = left_out(__file__, NEEDS, "build a wheel, as .ci/run does")
