# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without the libraries: pip install "tain[test-data]"."""

from __future__ import annotations

import importlib.util

_NEEDED = ("msgspec", "pandas", "polars", "pydantic")
collect_ignore = [] if all(map(importlib.util.find_spec, _NEEDED)) else ["test_data.py"]
