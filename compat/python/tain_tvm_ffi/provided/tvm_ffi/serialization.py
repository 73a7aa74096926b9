# SPDX-License-Identifier: Apache-2.0
"""Graphs as JSON."""

from __future__ import annotations

from typing import Any

import tain


def to_json_graph_str(obj: Any, metadata: dict[str, Any] | None = None) -> str:
    """Return a graph of objects as JSON text."""
    return tain.save_json(obj)


def from_json_graph_str(json_str: str) -> Any:
    """Return the graph that `to_json_graph_str` wrote."""
    return tain.load_json(json_str)


__all__ = ["from_json_graph_str", "to_json_graph_str"]
