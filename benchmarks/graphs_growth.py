# SPDX-License-Identifier: Apache-2.0
"""Operations on graphs of a hundred thousand to ten million nodes: what one node costs.

Two shapes: a balanced binary tree, whose nodes have one reference each; and a ladder, each node of
which holds the next one twice, so that it is as deep as it has nodes and every node is shared.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

from report import Line, summary
from rows import GRAPHS

import tain

GROUP = "graphs of up to 10^7 nodes"
SIZES = (100_000, 1_000_000, 10_000_000)

_SOURCE = """
#include <vector>
#include "tain/graph/visit.h"
#include "tain/packed_func.h"
#include "tain/reflection/object_def.h"
namespace graphs_growth {
using tain::Any;
using tain::Ref;
class NodeObj : public tain::Object {
 public:
  int64_t value = 0;
  tain::Optional<Ref<NodeObj>> left, right;
  TAIN_OBJECT("graphs_growth.Node", NodeObj, tain::Object);
};
Ref<NodeObj> NewNode(int64_t value) {
  auto node = tain::make_object<NodeObj>();
  node->value = value;
  return Ref<NodeObj>(std::move(node));
}
TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::ObjectDef<NodeObj>()
      .def_rw("value", &NodeObj::value)
      .def_rw("left", &NodeObj::left)
      .def_rw("right", &NodeObj::right);
  refl::GlobalDef()
      .def("graphs_growth.tree", [](int64_t count) {
        std::vector<Ref<NodeObj>> nodes;
        nodes.reserve(static_cast<size_t>(count));
        for (int64_t i = 0; i < count; ++i) nodes.push_back(NewNode(i));
        for (size_t i = nodes.size(); i-- > 1;) {
          const Ref<NodeObj>& parent = nodes[(i - 1) / 2];
          (i % 2 == 1 ? parent->left : parent->right) = nodes[i];
        }
        return nodes[0]; })
      .def("graphs_growth.ladder", [](int64_t count) {
        Ref<NodeObj> node = NewNode(0);
        for (int64_t i = 1; i < count; ++i) {
          Ref<NodeObj> next = NewNode(i);
          next->left = node;
          next->right = node;
          node = std::move(next);
        }
        return node; })
      .def("graphs_growth.visit", [](Any graph) {
        int64_t count = 0;
        tain::PreOrderVisit(graph, [&](const Any&) { ++count; });
        return count; })
      .def("graphs_growth.rewrite", [](Any graph) {
        return tain::Rewrite(graph, [](const Any& node) { return node; }); });
}
}  // namespace graphs_growth
"""


def _seconds(function: Callable[..., Any], *args: Any) -> tuple[float, Any]:
    start = time.process_time_ns()
    result = function(*args)
    return (time.process_time_ns() - start) / 1e9, result


def _measure(shape: str, count: int) -> dict[str, float]:
    """Return the seconds of each operation on one graph."""
    make = tain.get_global_func(f"graphs_growth.{shape}")
    graph, other = make(count), make(count)
    took: dict[str, float] = {}

    def run(operation: str, function: Callable[..., Any], *args: Any) -> Any:
        took[operation], result = _seconds(function, *args)
        return result

    assert run("structural_equal", tain.structural_equal, graph, other)
    hashed = run("structural_hash", tain.structural_hash, graph)
    assert tain.structural_hash(other) == hashed
    del other
    for form in ("binary", "json"):
        saved = run(f"save_{form}", getattr(tain, f"save_{form}"), graph)
        loaded = run(f"load_{form}", getattr(tain, f"load_{form}"), saved)
        assert loaded.value == count - 1 if shape == "ladder" else loaded.value == 0
        assert tain.structural_hash(loaded) == hashed
        del saved, loaded
    assert run("visit in C++", tain.get_global_func("graphs_growth.visit"), graph) == count
    rewrite = tain.get_global_func("graphs_growth.rewrite")
    assert run("identity rewrite in C++", rewrite, graph) is graph
    seen = 0

    def see(_: object) -> None:
        nonlocal seen
        seen += 1

    run("visit in Python", tain.visit, graph, see)
    assert seen == count
    assert run("identity rewrite in Python", tain.rewrite, graph, lambda node: node) is graph
    return took


def lines(quick: bool) -> list[Line]:
    """Return the rows."""
    tain.cpp.load_inline("graphs_growth", cpp_sources=_SOURCE, extra_cflags=["-O2", "-DNDEBUG"])
    made = []
    for shape, operations in GRAPHS.items():
        runs: dict[str, list[list[float]]] = {operation: [] for operation in operations}
        sizes = SIZES[:1] if quick else SIZES
        for count in sizes:
            repeats = 1 if quick or count == SIZES[-1] else 3
            turns = [_measure(shape, count) for _ in range(repeats)]
            gc.collect()
            for operation in operations:
                runs[operation].append([turn[operation] / count * 1e9 for turn in turns])
        for operation in operations:
            for count, values in zip(sizes, runs[operation], strict=True):
                title = f"{shape} of 10^{len(str(count)) - 1}: {operation}"
                line = summary(GROUP, title, "ns", {"tain": values})
                line.series, line.size = f"{shape}: {operation}", count
                made.append(line)
    return made
