# SPDX-License-Identifier: Apache-2.0
"""Structural comparison and hash of the standard library's syntax trees.

Beside examples/pyast stand the comparison of ast.dump texts, and apache-tvm-ffi on equal graphs of
arrays, to which the trees are converted for both.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from report import Line, summary

import tain

PYAST = Path(__file__).resolve().parent.parent / "examples" / "pyast"
FILES = 60
TARGETS = {"ast": 1 / 20, "tvm": 1.0}


def _best(function: Callable[[], Any], turns: int) -> list[float]:
    """Return the microseconds of each turn."""
    times = []
    for _ in range(turns):
        start = time.perf_counter()
        function()
        times.append((time.perf_counter() - start) * 1e6)
    return times


def _as_lists(node: Any) -> Any:
    """Return a tree of Python as nested lists: the name of a class, then its fields."""
    if isinstance(node, ast.AST):
        return [type(node).__name__, *(_as_lists(getattr(node, f, None)) for f in node._fields)]
    if isinstance(node, list):
        return [_as_lists(item) for item in node]
    known = node is None or isinstance(node, (bool, str, bytes))
    small = isinstance(node, int) and abs(node) < 1 << 62
    return node if known or small or isinstance(node, float) else repr(node)


def _rows(name: str, runs: dict[str, list[float]]) -> Line:
    return summary("graphs", name, "us", runs, {k: v for k, v in TARGETS.items() if k in runs})


def lines(_: list[str], quick: bool) -> list[Line]:
    """Return the rows."""
    sys.path.insert(0, str(PYAST))
    from pyast.convert import from_ast
    from pyast.stdlib import parse, source_files

    sys.setrecursionlimit(20_000)
    count, turns = (8, 3) if quick else (FILES, 7)
    trees = []
    for path in source_files(count):
        with contextlib.suppress(SyntaxError, ValueError):  # some must not be parsed
            trees.append(parse(path))
    ours = [[from_ast(tree) for tree in trees] for _ in range(2)]
    arrays = [[tain.convert(_as_lists(tree)) for tree in trees] for _ in range(2)]
    gc.collect()

    def every(compare: Callable[[Any, Any], object], pairs: list[list[Any]]) -> Callable[[], None]:
        def run() -> None:
            for a, b in zip(*pairs, strict=True):
                compare(a, b)

        return run

    def dumps(a: ast.AST, b: ast.AST) -> bool:
        return ast.dump(a, include_attributes=True) == ast.dump(b, include_attributes=True)

    def hash_of_dump(tree: ast.AST, _: object) -> int:
        return hash(ast.dump(tree, include_attributes=True))

    def hash_of(module: Any) -> Callable[[Any, Any], object]:
        return lambda a, _: module.structural_hash(a)

    dumped = _best(every(dumps, [trees, trees]), 2)
    hashed = _best(every(hash_of_dump, [trees, trees]), 2)
    equal_runs = {"tain": _best(every(tain.structural_equal, arrays), turns)}
    hash_runs = {"tain": _best(every(hash_of(tain), arrays), turns)}
    if importlib.util.find_spec("tvm_ffi") is not None:
        import tvm_ffi

        theirs = [[tvm_ffi.convert(_as_lists(tree)) for tree in trees] for _ in range(2)]
        equal_runs["tvm"] = _best(every(tvm_ffi.structural_equal, theirs), turns)
        hash_runs["tvm"] = _best(every(hash_of(tvm_ffi), theirs), turns)
    return [
        _rows(
            f"equal, {count} syntax trees",
            {"tain": _best(every(tain.structural_equal, ours), turns), "ast": dumped},
        ),
        _rows(
            f"hash, {count} syntax trees",
            {"tain": _best(every(hash_of(tain), ours), turns), "ast": hashed},
        ),
        _rows(f"equal, {count} trees as arrays", equal_runs),
        _rows(f"hash, {count} trees as arrays", hash_runs),
    ]
