# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without packages that are compiled for apache-tvm-ffi.

They are installed beside `tain_tvm_ffi provide`: see the stage "clients of TVM FFI" of .ci/run.
"""

from __future__ import annotations

from optional import left_out, pytest_terminal_summary

__all__ = ["collect_ignore", "pytest_terminal_summary"]

NEEDS = {"test_jobs.py": ["package tain_tvm_ffi", "variable TAIN_REAL_TVM_FFI"]}
collect_ignore = left_out(__file__, NEEDS, "see the stage of .ci/run")
