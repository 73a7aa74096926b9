# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without PyTorch: pip install "tain[test-torch]"."""

from __future__ import annotations

import importlib.util

ALL = ["test_torch.py", "test_torch_rows.py", "test_torch_benchmarks.py", "test_ml_dtypes.py"]
collect_ignore = [] if importlib.util.find_spec("torch") else ALL
