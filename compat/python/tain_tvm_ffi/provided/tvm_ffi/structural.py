# SPDX-License-Identifier: Apache-2.0
"""Comparison of graphs by their structure."""

from __future__ import annotations

from typing import Any

import tain
from tain import StructuralKey, structural_hash


def structural_equal(
    lhs: Any, rhs: Any, map_free_vars: bool = False, skip_tensor_content: bool = False
) -> bool:
    """Whether two graphs have the same structure."""
    return tain.structural_equal(lhs, rhs, map_free_vars)


def get_first_structural_mismatch(
    lhs: Any, rhs: Any, map_free_vars: bool = False, skip_tensor_content: bool = False
) -> tuple[tain.AccessPath, tain.AccessPath] | None:
    """Return the places of the first difference of two graphs, or None."""
    found = tain.first_mismatch(lhs, rhs, map_free_vars)
    return None if found is None else (found.path_a, found.path_b)


__all__ = ["StructuralKey", "get_first_structural_mismatch", "structural_equal", "structural_hash"]
