# SPDX-License-Identifier: Apache-2.0
"""Structural comparison and hash of the standard library's syntax trees.

Beside the trees of examples/pyast stand the comparison of ast.dump texts, and apache-tvm-ffi on
equal graphs of arrays, to which the trees are converted for both.
"""

from __future__ import annotations

import ast
import importlib.util
from typing import Any

import graphs_trees
from report import Line

import tain

GROUP = "graphs compared"
TARGETS = {"dump": 1 / 20, "tvm": 1.0}


def _as_lists(node: Any) -> Any:
    """Return a tree of Python as nested lists: the name of a class, then its fields."""
    if isinstance(node, ast.AST):
        return [type(node).__name__, *(_as_lists(getattr(node, f, None)) for f in node._fields)]
    if isinstance(node, list):
        return [_as_lists(item) for item in node]
    if isinstance(node, str):  # apache-tvm-ffi takes no lone surrogates
        return node.encode("utf-8", "backslashreplace").decode()
    known = node is None or isinstance(node, (bool, bytes))
    small = isinstance(node, int) and abs(node) < 1 << 62
    return node if known or small or isinstance(node, float) else repr(node)


def _dump(tree: ast.AST) -> str:
    return ast.dump(tree, include_attributes=True)


def lines(quick: bool, with_tvm: bool) -> list[Line]:
    """Return the rows."""
    from pyast.convert import from_ast

    contenders: dict[str, Any] = {"tain": tain}
    if with_tvm and importlib.util.find_spec("tvm_ffi") is not None:
        import tvm_ffi

        contenders["tvm"] = tvm_ffi
    clock = graphs_trees.Clock(3 if quick else 2)
    for tree, ours in graphs_trees.trees(graphs_trees.FEW if quick else None):
        clock.files += 1
        same = from_ast(tree)
        assert clock.run("structural_equal", "tain", tain.structural_equal, ours, same)
        assert clock.run("structural_equal", "dump", lambda t: _dump(t) == _dump(t), tree)
        clock.run("structural_hash", "tain", tain.structural_hash, ours)
        clock.run("structural_hash", "dump", lambda t: hash(_dump(t)), tree)
        as_lists = _as_lists(tree)
        for name, module in contenders.items():
            a, b = module.convert(as_lists), module.convert(as_lists)
            assert clock.run("structural_equal of arrays", name, module.structural_equal, a, b)
            clock.run("structural_hash of arrays", name, module.structural_hash, a)
    steps = ("structural_equal", "structural_hash")
    names = [step + kind for kind in ("", " of arrays") for step in steps]
    return [clock.line(GROUP, name, TARGETS) for name in names]
