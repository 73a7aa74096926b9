# SPDX-License-Identifier: Apache-2.0
"""Comparison of graphs by their structure, and walks over them."""

from __future__ import annotations

from typing import Any

import tain
from tain import get_global_func, structural_hash

from ._structural_walk import (
    DefRegionKind,
    InplaceMode,
    StructuralMutator,
    StructuralVisitor,
    VisitInterrupt,
    WalkOrder,
    WalkResult,
    structural_map,
    structural_mutate,
    structural_visit,
    structural_walk,
)
from .access_path import AccessPath, of_tain


class StructuralKey(tain.StructuralKey):
    """Wraps a graph so that dictionaries and sets compare its structure."""

    __slots__ = ()

    @property
    def key(self) -> Any:
        """Return the graph."""
        return self.value


def structural_equal(
    lhs: Any, rhs: Any, map_free_vars: bool = False, skip_tensor_content: bool = False
) -> bool:
    """Whether two graphs have the same structure."""
    return tain.structural_equal(lhs, rhs, map_free_vars, skip_tensor_content)


def get_first_structural_mismatch(
    lhs: Any, rhs: Any, map_free_vars: bool = False, skip_tensor_content: bool = False
) -> tuple[AccessPath, AccessPath] | None:
    """Return the places of the first difference of two graphs, or None."""
    found = tain.first_mismatch(lhs, rhs, map_free_vars, skip_tensor_content)
    if found is None:
        return None
    is_missing = "nothing" in found.message.split("\n", 1)[0]
    return (
        of_tain(found.path_a, is_missing and found.a is None),
        of_tain(found.path_b, is_missing and found.b is None),
    )


__all__ = [
    "DefRegionKind",
    "InplaceMode",
    "StructuralKey",
    "StructuralMutator",
    "StructuralVisitor",
    "VisitInterrupt",
    "WalkOrder",
    "WalkResult",
    "get_first_structural_mismatch",
    "structural_equal",
    "structural_hash",
    "structural_map",
    "structural_mutate",
    "structural_visit",
    "structural_walk",
]
