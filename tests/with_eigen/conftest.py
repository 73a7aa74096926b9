# SPDX-License-Identifier: Apache-2.0
"""These tests need the headers of Eigen: apt-get install libeigen3-dev, or EIGEN_INCLUDE."""

from __future__ import annotations

import os

from optional import left_out, pytest_terminal_summary

__all__ = ["EIGEN", "collect_ignore", "pytest_terminal_summary"]

#: The folder in which `Eigen/Core` is.
EIGEN = os.environ.get("EIGEN_INCLUDE", "/usr/include/eigen3")
NEEDS = {"test_eigen.py": [f"folder {EIGEN}/Eigen"]}
collect_ignore = left_out(
    __file__, NEEDS, "apt-get install libeigen3-dev, or set EIGEN_INCLUDE to its folder"
)
