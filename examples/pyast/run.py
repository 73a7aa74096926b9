# SPDX-License-Identifier: Apache-2.0
"""Takes every file of the standard library through C++ trees, and says what that costs.

Each file is parsed; its tree is built of C++ objects (and of dataclasses, to compare), counted and
folded by passes in C++, and converted back. README.md says what is checked.
"""

from __future__ import annotations

import argparse
import ast
import gc
import resource
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

from pyast import Folder, Statistics, count_nodes, identity
from pyast.convert import dataclass_builder, from_ast, to_ast
from pyast.folding import KINDS, evaluate, same_code
from pyast.progress import progress
from pyast.stdlib import name_of, parse, source_files

sys.setrecursionlimit(20_000)  # a long chain of operators is a deep tree


@dataclass
class Totals:
    """What all files together gave."""

    statistics: Statistics = field(default_factory=Statistics)
    folder: Folder = field(default_factory=lambda: Folder(evaluate))
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    rejected: dict[str, str] = field(default_factory=dict)  # what ast.parse says, by file
    not_compiled: dict[str, str] = field(default_factory=dict)  # what compile says, by file
    changed: list[str] = field(default_factory=list)  # files whose round trip differs
    differing: dict[str, list[str]] = field(default_factory=dict)  # files by the cause
    counted: int = 0  # nodes, by the functor
    counted_in_python: int = 0
    parsed: int = 0
    compiled: int = 0

    def timed(self, step: str, function: Callable[..., Any], *args: Any) -> Any:
        """Return what a function returns, and add the time it takes to that of a step."""
        start = time.perf_counter()
        result = function(*args)
        self.seconds[step] += time.perf_counter() - start
        return result

    def per_node(self, step: str) -> float:
        """Return the nanoseconds that a step takes for a node."""
        nodes: int = self.statistics.nodes
        return self.seconds[step] / max(nodes, 1) * 1e9


def build(totals: Totals, tree: ast.Module, dataclasses: Callable[[ast.AST], object]) -> Any:
    """Return the tree of C++ objects; the same of dataclasses is built too, for its time."""
    steps = [("build", from_ast), ("build dataclasses", dataclasses)]
    if totals.parsed % 2:  # neither is always the first to touch the tree
        steps.reverse()
    built = {step: totals.timed(step, function, tree) for step, function in steps}
    return built["build"]


def code_of(tree: ast.Module, name: str) -> CodeType | str:
    """Return the code of a tree, or what the compiler says."""
    try:
        code: CodeType = compile(tree, name, "exec", dont_inherit=True)
        return code
    except (SyntaxError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


_PLACES = "bounds of slices, values of return, assigned tuples and tuples after %"
# What this example folds and CPython does not, with the options that leave it.
CAUSES = {
    "comparisons of constants": {"compare": False},
    _PLACES: {"everywhere": False},
    f"comparisons of constants, and {_PLACES}": {"compare": False, "everywhere": False},
}


def cause(tree: ast.Module, plain: CodeType, name: str) -> str:
    """Return why the code of the folded tree differs from that of the plain one."""
    for why, options in CAUSES.items():
        cpp = from_ast(tree)
        Folder(evaluate, **options).fold(cpp)
        code = code_of(to_ast(cpp), name)
        if isinstance(code, CodeType) and same_code(plain, code):
            return why
    return "unknown"


def check_code(totals: Totals, tree: ast.Module, back: ast.Module, cpp: Any, name: str) -> None:
    """Fold a tree, and compare its code with that of the tree as it was."""
    totals.timed("fold", totals.folder.fold, cpp)
    plain, folded = code_of(back, name), code_of(to_ast(cpp), name)
    if isinstance(plain, CodeType) and isinstance(folded, CodeType):
        totals.compiled += 1
        if not same_code(plain, folded):
            totals.differing.setdefault(cause(tree, plain, name), []).append(name)
    elif isinstance(plain, str) and plain == folded:
        totals.not_compiled[name] = plain
    else:
        totals.differing.setdefault("unknown", []).append(name)


def count_in_python(tree: ast.Module) -> int:
    """Return the number of nodes, by Python's own walk; what C++ has as enums is passed over."""
    return sum(1 for node in ast.walk(tree) if not isinstance(node, _ENUMS))


_ENUMS = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)


def take(totals: Totals, path: Path, dataclasses: Callable[[ast.AST], object]) -> None:
    """Take one file through all steps."""
    name = name_of(path)
    try:
        tree = totals.timed("parse", parse, path)
    except (SyntaxError, ValueError) as error:
        totals.rejected[name] = f"{type(error).__name__}: {error}"
        return
    totals.counted_in_python += totals.timed("count in Python", count_in_python, tree)
    cpp = build(totals, tree, dataclasses)
    totals.parsed += 1
    totals.timed("statistics", totals.statistics.visit, cpp)
    totals.counted += totals.timed("count by a functor", count_nodes, cpp)
    if totals.timed("identity mutator", identity, cpp) is not cpp:
        totals.changed.append(name)
    back = totals.timed("convert back", to_ast, cpp)
    before = ast.dump(tree, include_attributes=True)
    if before != ast.dump(back, include_attributes=True):
        totals.changed.append(name)
    check_code(totals, tree, back, cpp, name)


def run(files: list[Path]) -> Totals:
    """Take files through all steps."""
    totals, dataclasses = Totals(), dataclass_builder()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the compiler says about the files
        for path in progress(files):
            take(totals, path, dataclasses)
    return totals


def peak_memory() -> float:
    """Return the most memory that the process had, in MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def show_files(title: str, files: dict[str, str] | list[str]) -> None:
    """Print how many files there are, and which."""
    print(f"{title}: {len(files)}")
    for name in files:
        print(f"    {name}: {files[name]}" if isinstance(files, dict) else f"    {name}")


def report(totals: Totals, seconds: float) -> None:
    """Print everything."""
    statistics, folder = totals.statistics, totals.folder
    common = sorted(statistics.kinds.items(), key=lambda item: -item[1])[:6]
    print(f"{totals.parsed} files, {statistics.nodes} nodes, {seconds:.1f} s")
    print(
        f"depth {statistics.depth}; {', '.join(f'{count} {kind}' for kind, count in common)}, ..."
    )
    for step in totals.seconds:
        print(f"  {step:18}{totals.seconds[step]:8.2f} s{totals.per_node(step):8.0f} ns per node")
    ratio = totals.per_node("build") / max(totals.per_node("build dataclasses"), 1e-9)
    print(f"building C++ objects takes {ratio:.2f} x the time of dataclasses with slots")
    print(f"peak memory {peak_memory():.0f} MiB")
    folds = {kind: getattr(folder, kind) for kind in KINDS}
    print(f"{sum(folds.values())} folds: {', '.join(f'{n} {kind}' for kind, n in folds.items())}")
    print(f"{totals.compiled} files compiled")
    for why, names in totals.differing.items():
        show_files(f"code that differs after folding, by {why}", names)
    show_files("files that do not compile, folded or not", totals.not_compiled)
    show_files("files that ast.parse rejects", totals.rejected)
    show_files("files that a round trip changes", totals.changed)


def main() -> int:
    """Run, and return 0 if everything is as it must be."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--files", type=int, metavar="N", help="only about N files")
    parser.add_argument("--no-gc", action="store_true", help="without Python's garbage collector")
    options = parser.parse_args()
    if options.no_gc:
        gc.disable()
    start = time.perf_counter()
    totals = run(source_files(options.files))
    report(totals, time.perf_counter() - start)
    if not totals.counted == totals.counted_in_python == totals.statistics.nodes:
        print(f"counted {totals.counted} nodes in C++, {totals.counted_in_python} in Python")
        return 1
    return 1 if totals.changed or "unknown" in totals.differing else 0


if __name__ == "__main__":
    sys.exit(main())
