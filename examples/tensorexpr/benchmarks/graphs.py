# SPDX-License-Identifier: Apache-2.0
"""One row of the first table, in a process of its own: work on graphs, for either package.

`python graphs.py SIDE ROW SIZE...` prints a line of JSON for each size, smallest first. Each timing
has graphs that were made for it alone, so nothing is known of them from an earlier one.
"""

from __future__ import annotations

import gc
import json
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

LIMIT = 20.0  # seconds; a size that would take longer is left out

# How many timings, by the number of nodes.
_TIMINGS = ((2_000, 25), (20_000, 9), (200_000, 4), (2_000_000, 2))


def tensorexpr() -> SimpleNamespace:
    """Return what the rows need, from tensorexpr."""
    from tensorexpr import te, tir

    import tain

    def program(buffer: Any, body: Any) -> Any:
        handle = tir.Var("handle", "handle")
        return tir.PrimFunc([handle], {handle: buffer}, body)

    return SimpleNamespace(
        te=te,
        tir=tir,
        simplify=tir.simplify,
        equal=tain.structural_equal,
        hash=tain.structural_hash,
        save=tain.save_json,
        load=tain.load_json,
        program=program,
    )


def tvm() -> SimpleNamespace:
    """Return the same from apache-tvm, in the names that it has now or had before."""
    import tvm

    try:
        from tvm import tirx as tir
    except ImportError:
        from tvm import tir
    try:
        from tvm.sym import Analyzer
    except ImportError:
        from tvm.arith import Analyzer
    from tvm import ir, te

    try:
        from tvm_ffi import structural_equal, structural_hash
    except ImportError:
        from tvm.ir import structural_equal, structural_hash
    return SimpleNamespace(
        te=te,
        tir=tir,
        simplify=lambda e: Analyzer().simplify(e),
        equal=structural_equal,
        hash=structural_hash,
        save=ir.save_json,
        load=ir.load_json,
        program=lambda buffer, body: tir.PrimFunc([buffer], body),
        version=tvm.__version__,
    )


SIDES = {"tensorexpr": tensorexpr, "tvm": tvm}


# ---------------------------------------------------------------- graphs


def balanced(parts: list[Any], join: Callable[[Any, Any], Any]) -> Any:
    """Join all parts, pair by pair, so that the tree is as low as can be."""
    while len(parts) > 1:
        joined = [join(a, b) for a, b in zip(parts[::2], parts[1::2], strict=False)]
        if len(parts) % 2:
            joined.append(parts[-1])
        parts = joined
    return parts[0]


def float_vars(m: SimpleNamespace) -> tuple[Any, Any]:
    return m.tir.Var("x", "float32"), m.tir.Var("y", "float32")


def int_vars(m: SimpleNamespace) -> list[Any]:
    return [m.tir.Var(f"v{k}", "int32") for k in range(8)]


def by_operators(x: Any, y: Any, nodes: int) -> Any:
    """`x * 2 + y` and its like, added up: four nodes each."""
    leaves = [x * (k % 7 + 2) + y for k in range(nodes // 4)]
    return balanced(leaves, lambda a, b: a + b)


def by_constructors(m: SimpleNamespace, x: Any, y: Any, nodes: int) -> Any:
    """`Add(Mul(x, y), ...)`: two nodes each."""
    add, mul = m.tir.Add, m.tir.Mul
    return balanced([mul(x, y) for _ in range(nodes // 2)], add)


def linear(v: list[Any], nodes: int) -> Any:
    """A sum of integers in which everything can be collected: five nodes each."""
    leaves = [v[k % 8] * (k % 7 + 2) + k % 5 for k in range(nodes // 6)]
    return balanced(leaves, lambda a, b: a + b)


def quotients(v: list[Any], nodes: int) -> Any:
    """Quotients that are what they divide, as the bounds of a remainder tell: ten nodes each."""
    leaves = [
        ((v[k % 8] % 16 * 8 + (k % 7 + 1)) // 8).astype("float32") for k in range(nodes // 10)
    ]
    return balanced(leaves, lambda a, b: a * b)


def chain(x: Any, y: Any, links: int) -> Any:
    """A tree as deep as it has operators: three nodes a link."""
    e = x
    for _ in range(links):
        e = e * 2 + y
    return e


def shared(m: SimpleNamespace, x: Any, levels: int) -> Any:
    """A graph whose parts are met twice at each level: two nodes a level, 2 ** levels paths."""
    e = x
    for _ in range(levels):
        e = m.tir.Add(m.tir.Mul(e, e), x)
    return e


def stores(m: SimpleNamespace, x: Any, y: Any, nodes: int) -> Any:
    """A program of many assignments, `B[k] = x * 2 + y`: six nodes each."""
    count = nodes // 6
    buffer = m.tir.decl_buffer((count,), "float32", "B")
    return m.program(
        buffer,
        m.tir.SeqStmt([m.tir.BufferStore(buffer, x * (k % 7 + 2) + y, [k]) for k in range(count)]),
    )


def computed(m: SimpleNamespace, nodes: int) -> Any:
    """A program of one assignment with a large expression, `A[i] * 2 + A[i]`: six nodes each."""
    a = m.te.placeholder((64,), name="A")

    def value(i: Any) -> Any:
        leaves = [a[i] * (k % 7 + 2) + a[i] for k in range(nodes // 6)]
        return balanced(leaves, lambda p, q: p + q)

    return m.te.create_prim_func([a, m.te.compute((64,), value, name="B")])


def matmul(m: SimpleNamespace, n: int) -> Any:
    a, b = m.te.placeholder((n, n), name="A"), m.te.placeholder((n, n), name="B")
    k = m.te.reduce_axis((0, n), name="k")
    c = m.te.compute((n, n), lambda i, j: m.te.sum(a[i, k] * b[k, j], axis=k), name="C")
    return m.te.create_prim_func([a, b, c])


# ---------------------------------------------------------------- rows


@dataclass(frozen=True)
class Row:
    """What is made before the clock starts, and what is timed."""

    title: str
    unit: str  # of the sizes
    sizes: tuple[int, ...]
    make: Callable[[SimpleNamespace, int], Any]
    work: Callable[[SimpleNamespace, Any], Any]
    # Says in words what came out, to be compared between both packages at the smallest size.
    result: Callable[[Any], str] | None = None
    target: float = 2.0
    nodes: int = 1  # nodes for one of the unit


def _tree(m: SimpleNamespace, n: int) -> Any:
    return by_operators(*float_vars(m), n)


def _pair(grow: Callable[..., Any]) -> Callable[[SimpleNamespace, int], Any]:
    def make(m: SimpleNamespace, n: int) -> Any:
        x, y = float_vars(m)
        return grow(m, x, y, n), grow(m, x, y, n)

    return make


_GROWN: dict[str, Any] = {
    "tree": lambda m, x, y, n: by_operators(x, y, n),
    "chain": lambda m, x, y, n: chain(x, y, n),
    "shared": lambda m, x, y, n: shared(m, x, n),
}


def _one(kind: str) -> Callable[[SimpleNamespace, int], Any]:
    return lambda m, n: _GROWN[kind](m, *float_vars(m), n)


def _text(value: Any) -> str:
    """The text of an expression; both packages write some numbers in their own way."""
    return re.sub(r"(\d)\.0\b", r"\1", str(value))


TREES = (10**3, 10**4, 10**5, 10**6)
CHAINS = (300, 3_000, 30_000)
LEVELS = (10, 15, 20)


def _graph_rows(kind: str, name: str, unit: str, sizes: tuple[int, ...], nodes: int) -> list[Row]:
    """The rows that there are for trees, for chains and for graphs with shared parts."""
    one = _one(kind)
    rows = [
        Row("simplify, nothing to do", unit, sizes, one, lambda m, e: m.simplify(e), _text),
        Row("structural_equal", unit, sizes, _pair(_GROWN[kind]), lambda m, p: m.equal(*p), str),
        Row("structural_hash", unit, sizes, one, lambda m, e: m.hash(e)),
        Row("save_json", unit, sizes, one, lambda m, e: m.save(e)),
        Row(
            "load_json",
            unit,
            sizes,
            lambda m, n: m.save(_GROWN[kind](m, *float_vars(m), n)),
            lambda m, text: m.load(text),
        ),
    ]
    if kind != "shared":  # its text has every path
        rows.insert(0, Row("str(expr)", unit, sizes, one, lambda m, e: str(e), _text))
    if kind == "shared":
        rows[0] = Row("simplify, nothing to do", unit, sizes, one, lambda m, e: m.simplify(e))
    return [Row(**{**vars(row), "title": f"{row.title}, {name}", "nodes": nodes}) for row in rows]


ROWS: dict[str, Row] = {
    row.title: row
    for row in (
        Row(
            "make `x * 2 + y`, added up",
            "nodes",
            TREES,
            lambda m, n: (*float_vars(m), n),
            lambda m, given: by_operators(*given),
            _text,
            5.0,
        ),
        Row(
            "make `tir.Add(a, b)`",
            "nodes",
            TREES,
            lambda m, n: (*float_vars(m), n),
            lambda m, given: by_constructors(m, *given),
            _text,
            5.0,
        ),
        Row(
            "make a chain `e * 2 + y`",
            "links",
            CHAINS,
            lambda m, n: (*float_vars(m), n),
            lambda m, given: chain(*given),
            None,
            5.0,
            3,
        ),
        Row(
            "simplify, a sum to collect",
            "nodes",
            TREES,
            lambda m, n: linear(int_vars(m), n),
            lambda m, e: m.simplify(e),
            _text,
        ),
        Row(
            "simplify, quotients with bounds",
            "nodes",
            TREES,
            lambda m, n: quotients(int_vars(m), n),
            lambda m, e: m.simplify(e),
            _text,
        ),
        Row(
            "script(), many stores",
            "nodes",
            TREES,
            lambda m, n: stores(m, *float_vars(m), n),
            lambda m, f: f.script(),
        ),
        Row("script(), one large expression", "nodes", TREES, computed, lambda m, f: f.script()),
        Row(
            "te.compute + create_prim_func, one large expression",
            "nodes",
            TREES,
            lambda m, n: n,
            computed,
        ),
        Row(
            "te.compute + create_prim_func, matmul",
            "",
            (512,),
            lambda m, n: n,
            matmul,
        ),
        *_graph_rows("tree", "a tree", "nodes", TREES, 1),
        *_graph_rows("chain", "a chain", "links", CHAINS, 3),
        *_graph_rows("shared", "shared parts", "levels", LEVELS, 2),
    )
}


def timings(row: Row, size: int) -> int:
    nodes = size * row.nodes
    return next(count for most, count in _TIMINGS if nodes <= most)


def measure(m: SimpleNamespace, row: Row, size: int) -> dict[str, Any]:
    """Return the seconds of each timing, and what came out if it is small."""
    spent: list[float] = []
    said = ""
    for _ in range(timings(row, size)):
        given = row.make(m, size)
        gc.collect()
        gc.disable()
        start = time.process_time()
        out = row.work(m, given)
        spent.append(time.process_time() - start)
        gc.enable()
        if row.result is not None and not said and size == row.sizes[0]:
            said = row.result(out)
        del out, given
        if sum(spent) > LIMIT / 2:
            break
    return {"size": size, "seconds": spent, "result": said}


def main() -> None:
    side, title, *sizes = sys.argv[1:]
    m, row = SIDES[side](), ROWS[title]
    expected = 0.0
    for size in map(int, sizes):
        if expected > LIMIT:
            print(json.dumps({"size": size, "skipped": f"about {expected:.0f} s"}), flush=True)
            continue
        line = measure(m, row, size)
        print(json.dumps(line), flush=True)
        later = [s for s in row.sizes if s > size]
        if later:
            # The paths of a graph with shared parts double at each level: only a try can tell.
            grows = 1 if row.unit == "levels" else later[0] / size
            expected = min(line["seconds"]) * grows


if __name__ == "__main__":
    main()
