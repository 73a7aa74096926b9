# SPDX-License-Identifier: Apache-2.0
"""These tests are no part of a run without JAX: pip install "tain[test-jax]"."""

from __future__ import annotations

import importlib.util

collect_ignore = [] if importlib.util.find_spec("jax") else ["test_jax.py"]
