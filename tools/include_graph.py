#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print the include graph of src/ffi and src/bindings.

Usage: tools/include_graph.py [ROOM]

Each room (a source file with its header) with the rooms that it includes, and at the end the knots:
rooms that include each other. With a room such as `calls/call`: what it includes, and what includes
it. tests/lint/test_layers.py says what is allowed.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "lint"))

from lint_sources import knots, rooms

HALVES = ("src/ffi", "src/bindings")


def main(asked: list[str]) -> int:
    """Print what is asked for; the exit status."""
    known = False
    for half in HALVES:
        graph = rooms(half)
        if asked:
            if asked[0] in graph:
                known = True
                users = sorted(room for room, others in graph.items() if asked[0] in others)
                print(f"{half}/{asked[0]}")
                print("  includes:", *sorted(graph[asked[0]]))
                print("  is included by:", *users)
            continue
        print(half)
        for room, others in sorted(graph.items()):
            print(f"  {room} ->", *sorted(others))
        found = knots(graph)
        print(f"  knots: {len(found)}")
        for knot in found:
            print("   ", *sorted(knot))
    if asked and not known:
        print(f"tools/include_graph.py: no room {asked[0]}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
