# SPDX-License-Identifier: Apache-2.0
"""Saving and loading the trees of the standard library, against pickle and json.

The trees are those of examples/pyast. The binary form is compared with pickles of the trees of the
module ast, JSON with the module json on equal nested dicts. Each file takes every step in turn.
"""

from __future__ import annotations

import ast
import json
import pickle
from typing import Any

import graphs_trees
from report import Line

import tain

GROUP = "graphs saved"


def as_dicts(node: Any) -> Any:
    """Return a tree of the module ast as nested dicts, with the fields that the C++ trees have."""
    if isinstance(node, ast.AST):
        names = (*node._fields, *node._attributes)
        if not names:
            return type(node).__name__
        fields = {name: as_dicts(getattr(node, name, None)) for name in names}
        return {"$type": f"pyast.{type(node).__name__}", **fields}
    if isinstance(node, list):
        return [as_dicts(item) for item in node]
    if isinstance(node, (bytes, complex)) or node is Ellipsis:
        return repr(node)
    return node


def constants_fit(tree: ast.AST) -> bool:
    """Return whether all constants are values that can be saved."""
    values = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return all(isinstance(value, (str, bytes, int, float, type(None))) for value in values)


def lines(quick: bool) -> list[Line]:
    """Return the rows."""
    clock = graphs_trees.Clock(3 if quick else 2)
    for tree, ours in graphs_trees.trees(graphs_trees.FEW if quick else None):
        if not constants_fit(tree):
            continue
        clock.files += 1
        dicts = as_dicts(tree)
        highest = pickle.HIGHEST_PROTOCOL
        pickled = clock.run("save_binary", "pickle", pickle.dumps, tree, highest)
        saved = clock.run("save_binary", "tain", tain.save_binary, ours)
        clock.run("load_binary", "pickle", pickle.loads, pickled)
        clock.run("load_binary", "tain", tain.load_binary, saved)
        text = clock.run("save_json", "json", json.dumps, dicts)
        our_text = clock.run("save_json", "tain", tain.save_json, ours)
        clock.run("load_json", "json", json.loads, text)
        clock.run("load_json", "tain", tain.load_json, our_text)
    binary, as_json = {"pickle": 1 / 3}, {"json": 1 / 2}
    return [
        clock.line(GROUP, "save_binary", binary),
        clock.line(GROUP, "load_binary", binary),
        clock.size_line(GROUP, "save_binary", {"pickle": 1 / 2}),
        clock.line(GROUP, "save_json", as_json),
        clock.line(GROUP, "load_json", as_json),
        clock.size_line(GROUP, "save_json", {}),
    ]
