# SPDX-License-Identifier: Apache-2.0
"""Graphs that are walked, rewritten and compared, with callbacks that act in the middle."""

from __future__ import annotations

from typing import Any

import tain


def walked_graph(f: Any) -> None:
    """Visit or rewrite whatever the fuzzer has, also what has no parts."""
    root = f.tain_value() if f.rng.randrange(2) else f.values.any(2)
    order = f.rng.choice(("pre", "post", "post", "none"))
    acts, answers = f.rng.randrange(4), f.rng.randrange(3)

    def visit(node: Any) -> Any:
        if f.rng.randrange(10) < acts:
            f.act()
        if f.rng.randrange(10) < answers:
            return f.rng.choice((False, f.values.any(1)))
        return None

    f.note(order, root)
    if f.rng.randrange(3):
        tain.visit(root, visit, order=order)
    else:
        f.values.keep(tain.rewrite(root, visit))


def compared_graph(f: Any) -> None:
    """Compare and hash by structure, and list what differs."""
    one = f.tain_value() if f.rng.randrange(2) else f.values.any(2)
    other = one if f.rng.randrange(4) == 0 else f.values.any(2)
    maps_free_vars = bool(f.rng.randrange(2))
    f.note(one, other)
    tain.structural_hash(one, map_free_vars=maps_free_vars)
    tain.structural_equal(one, other, map_free_vars=maps_free_vars)
    f.values.keep(tain.first_mismatch(one, other))
    f.values.keep(tain.free_vars(one))
    str(tain.diff(one, other))
    tain.to_text(one)
