# SPDX-License-Identifier: Apache-2.0
"""C++ that is compiled and loaded from Python."""

from tain.cpp import build, build_inline, load, load_inline

__all__ = ["build", "build_inline", "load", "load_inline"]
