# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without basedpyright: pip install "tain[test-stubs]"."""

from __future__ import annotations

import importlib.util

collect_ignore = [] if importlib.util.find_spec("basedpyright") else ["test_pyright.py"]
