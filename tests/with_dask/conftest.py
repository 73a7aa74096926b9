# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without Dask: pip install "tain[test-dask]"."""

from __future__ import annotations

import importlib.util

collect_ignore = [] if importlib.util.find_spec("distributed") else ["test_dask.py"]
