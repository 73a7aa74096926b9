# SPDX-License-Identifier: Apache-2.0
"""Counts and folds the standard library's trees on a Dask cluster, and checks the result.

The trees are built here and sent to the processes of the cluster. These run the passes in C++ and
send the folded trees and the counts back. The same passes then run in this process alone.
"""

from __future__ import annotations

import argparse
import ast
import os
import sys
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyast.cluster import Counts, run_passes
from pyast.convert import from_ast, to_ast
from pyast.stdlib import name_of, parse, source_files


def trees_of(files: list[Path]) -> Iterator[tuple[str, Any]]:
    """Yield the name and the tree of each file that can be parsed."""
    for path in files:
        try:
            yield name_of(path), from_ast(parse(path))
        except (SyntaxError, ValueError) as error:
            print(f"{name_of(path)}: {error}")


def in_batches(items: list[Any], size: int) -> list[list[Any]]:
    return [items[at : at + size] for at in range(0, len(items), size)]


def in_order(client: Any, batches: list[list[Any]], at_once: int = 8) -> Iterator[Any]:
    """Yield the results of the passes; only some batches are under way, to save memory."""
    futures: deque[Any] = deque()
    for batch in batches:
        futures.append(client.submit(run_passes, batch, pure=False))
        if len(futures) == at_once:
            yield futures.popleft().result()
    while futures:
        yield futures.popleft().result()


def on_cluster(batches: list[list[Any]]) -> tuple[list[str], Counts]:
    """Run the passes in two processes; return the dumps of the folded trees, and the counts."""
    from distributed import Client, LocalCluster

    total, dumps = Counts(), []
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        client.wait_for_workers(2)
        print("processes:", *sorted(client.run(os.getpid).values()))
        for trees, counts in in_order(client, batches):
            total.add(counts)
            dumps += [ast.dump(to_ast(tree), include_attributes=True) for tree in trees]
    return dumps, total


def here(batches: list[list[Any]]) -> tuple[list[str], Counts]:
    """Run the passes in this process."""
    total, dumps = Counts(), []
    for batch in batches:
        trees, counts = run_passes(batch)
        total.add(counts)
        dumps += [ast.dump(to_ast(tree), include_attributes=True) for tree in trees]
    return dumps, total


def main() -> int:
    """Run, and return 0 if both results agree."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--files", type=int, metavar="N", help="only about N files")
    options = parser.parse_args()
    named = list(trees_of(source_files(options.files)))
    batches = in_batches([tree for _, tree in named], 16)
    start = time.perf_counter()
    far_dumps, far = on_cluster(batches)
    middle = time.perf_counter()
    near_dumps, near = here(batches)
    print(f"cluster {middle - start:.1f} s, alone {time.perf_counter() - middle:.1f} s")
    print(f"{len(named)} files, {near.nodes} nodes, {sum(near.folds.values())} folds")
    differing = [
        name for (name, _), a, b in zip(named, far_dumps, near_dumps, strict=True) if a != b
    ]
    for name in differing:
        print(f"{name}: the folded trees differ")
    if differing or far != near:
        print("the results differ", far, near)
        return 1
    print("two processes and one agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
