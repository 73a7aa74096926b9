# SPDX-License-Identifier: Apache-2.0
"""Saving and loading the trees of the standard library, against pickle and json.

The trees are those of examples/pyast. The binary form is compared with pickles of the trees of the
module ast, JSON with the module json on equal nested dicts. All ratios are of one run: each file
takes every step in turn, and the times of all files are added.
"""

from __future__ import annotations

import argparse
import ast
import gc
import json
import pickle
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tain

sys.path.insert(0, str(Path(__file__).parents[1] / "examples" / "pyast"))


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


class Clock:
    """Adds the seconds of each step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.sizes: dict[str, int] = defaultdict(int)

    def run(self, step: str, function: Callable[..., Any], *args: Any) -> Any:
        start = time.process_time_ns()  # what other processes take does not count
        result = function(*args)
        self.seconds[step] += (time.process_time_ns() - start) / 1e9
        if isinstance(result, (str, bytes)):
            self.sizes[step] += len(result)
        return result


def take(clock: Clock, tree: ast.Module, cpp: Any) -> None:
    """Take one tree through all steps."""
    dicts = as_dicts(tree)
    pickled = clock.run("pickle.dumps", pickle.dumps, tree, pickle.HIGHEST_PROTOCOL)
    saved = clock.run("save_binary", tain.save_binary, cpp)
    clock.run("pickle.loads", pickle.loads, pickled)
    clock.run("load_binary", tain.load_binary, saved)
    text = clock.run("json.dumps", json.dumps, dicts)
    ours = clock.run("save_json", tain.save_json, cpp)
    clock.run("json.loads", json.loads, text)
    clock.run("load_json", tain.load_json, ours)


ROWS = (
    ("save_binary", "pickle.dumps", 3),
    ("load_binary", "pickle.loads", 3),
    ("save_json", "json.dumps", 2),
    ("load_json", "json.loads", 2),
)


def main() -> None:
    """Run, and print the ratios."""
    from pyast.convert import from_ast
    from pyast.stdlib import parse, source_files

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--files", type=int, metavar="N", help="only about N files")
    parser.add_argument("--no-gc", action="store_true", help="without Python's garbage collector")
    options = parser.parse_args()
    sys.setrecursionlimit(20_000)
    clock, count = Clock(), 0
    if options.no_gc:
        gc.disable()
    for path in source_files(options.files):
        try:
            tree = parse(path)
        except (SyntaxError, ValueError):
            continue
        if constants_fit(tree):
            take(clock, tree, from_ast(tree))
            count += 1
            gc.collect()  # so that no step pays for what those before it left
    print(f"{count} files")
    for ours, theirs, wanted in ROWS:
        ratio = clock.seconds[theirs] / clock.seconds[ours]
        print(f"{ours:12} {ratio:6.2f} x as fast as {theirs} (wanted: {wanted})")
    size = clock.sizes["save_binary"] / clock.sizes["pickle.dumps"]
    print(f"save_binary  {size:6.2f} x the size of the pickles (wanted: at most 0.5)")
    size = clock.sizes["save_json"] / clock.sizes["json.dumps"]
    print(f"save_json    {size:6.2f} x the size of the text of json")


if __name__ == "__main__":
    main()
