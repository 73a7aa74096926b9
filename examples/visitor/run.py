# SPDX-License-Identifier: Apache-2.0
"""A Python subclass of the C++ visitor of examples/pyast walks the standard library.

C++ drives the walk and calls the three methods that Python overrides; what they count is checked
against ast.walk.
"""

from __future__ import annotations

import argparse
import ast
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "pyast"))

import pyast
from pyast.convert import from_ast
from pyast.progress import progress
from pyast.stdlib import parse, source_files

sys.setrecursionlimit(20_000)  # a long chain of operators is a deep tree


class Names(pyast.Visitor):
    """Counts what is called, imported and defined, by name."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: Counter[str] = Counter()
        self.imports: Counter[str] = Counter()
        self.functions: Counter[str] = Counter()

    def visit_Call(self, node: pyast.Call) -> None:
        """Count a call of a plain name."""
        if isinstance(node.func, pyast.Name):
            self.calls[node.func.id] += 1
        super().visit_Call(node)

    def visit_Import(self, node: pyast.Import) -> None:
        """Count what is imported; there is nothing of interest below."""
        self.imports.update(alias.name for alias in node.names)

    def visit_FunctionDef(self, node: pyast.FunctionDef) -> None:
        """Count a definition, and look into it."""
        self.functions[node.name] += 1
        self.generic_visit(node)


def expected(tree: ast.AST) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Return the same counts from the tree of the module ast."""
    calls: Counter[str] = Counter()
    imports: Counter[str] = Counter()
    functions: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            calls[node.func.id] += 1
        elif isinstance(node, ast.Import):
            imports.update(alias.name for alias in node.names)
        elif isinstance(node, ast.FunctionDef):
            functions[node.name] += 1
    return calls, imports, functions


def walk(files: list[Path]) -> tuple[Names, float, bool]:
    """Walk files; what was found, the seconds of the walk, and whether ast.walk agrees."""
    names, counts, seconds = Names(), (Counter[str](), Counter[str](), Counter[str]()), 0.0
    for path in progress(files):
        try:
            tree = parse(path)
        except (SyntaxError, ValueError):
            continue
        cpp = from_ast(tree)
        start = time.perf_counter()
        names.visit(cpp)
        seconds += time.perf_counter() - start
        for total, found in zip(counts, expected(tree), strict=True):
            total.update(found)
    return names, seconds, (names.calls, names.imports, names.functions) == counts


def main() -> int:
    """Walk the standard library; 0 if all counts agree."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--files", type=int, metavar="N", help="only about N files")
    files = source_files(parser.parse_args().files)
    names, seconds, agrees = walk(files)
    print(f"{len(files)} files, {seconds:.2f} s for the walk alone")
    for what in ("calls", "imports", "functions"):
        counter: Counter[str] = getattr(names, what)
        common = ", ".join(f"{name} {count}" for name, count in counter.most_common(4))
        print(f"{counter.total()} {what}: {common}, ...")
    print(f"ast.walk counts {'the same' if agrees else 'otherwise'}")
    return 0 if agrees else 1


if __name__ == "__main__":
    sys.exit(main())
