# SPDX-License-Identifier: Apache-2.0
"""Walks over the standard library's syntax trees, against walks that are written by hand.

The trees are those of examples/pyast. The C++ is generated from the fields that the nodes register,
so both sides visit the same ones. A walk by hand is recursive, finds the code of a node's class in
a table, and knows shared nodes.
"""

from __future__ import annotations

import re

import graphs_trees
from report import Line, summary

import tain

GROUP = "graphs walked"

_HEAD = """
#include <time.h>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include "kinds.h"
#include "tain/graph/functor.h"
#include "tain/graph/visit.h"
#include "tain/packed_func.h"
namespace pyast_bench {
using namespace pyast;
using tain::Object;
using tain::ObjectRef;
static int64_t count = 0;
static std::unordered_set<const Object*> seen;
inline bool IsNew(const Object* node) {
  return node->use_count() == 1 || seen.insert(node).second;
}
double Now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

// ---- by hand
void Walk(const ObjectRef& node);
AST Mutate(const AST& node);
std::unordered_map<const Object*, AST> results;
"""

_TAIL = """
using WalkCode = void (*)(const Object*);
using MutateCode = AST (*)(const Object*);
std::vector<WalkCode> walk_calls;
std::vector<MutateCode> mutate_calls;
void Walk(const ObjectRef& node) {
  const Object* object = node.get();
  if (!IsNew(object)) return;
  ++count;
  walk_calls[object->type_index()](object);
}
AST Mutate(const AST& node) {
  const Object* object = node.get();
  if (object->use_count() > 1) {
    const auto known = results.find(object);
    if (known != results.end()) return known->second;
    AST result = mutate_calls[object->type_index()](object);
    results.emplace(object, result);
    return result;
  }
  return mutate_calls[object->type_index()](object);
}
template <class T> T MutateTo(const T& node) {
  AST made = Mutate(AST(node));
  if (made.get() == node.get()) return node;
  return tain::GetRef<T>(static_cast<const typename T::ContainerType*>(made.get()));
}

class Counter : public tain::ExprVisitor<AST> {
 public:
  int64_t nodes = 0;
  void VisitExprDefault_(const Object*) override { ++nodes; VisitPartsLater(); }
};
class Plain : public tain::ExprVisitor<AST> {};
class Identity : public tain::ExprMutator<AST, ALL_KINDS> {};

template <class F> double Time(const tain::Array<AST>& trees, F f) {
  const double start = Now();
  for (const AST& tree : trees) f(tree);
  return Now() - start;
}
TAIN_REGISTER {
  FILL_TABLES
  tain::reflection::GlobalDef()
    .def("pyast_bench.walk", [](tain::Array<AST> trees) {
      return Time(trees, [](const AST& t) { seen.clear(); Walk(t); }); })
    .def("pyast_bench.dispatch", [](tain::Array<AST> trees) {
      Dispatch functor;
      return Time(trees, [&](const AST& t) { seen.clear(); functor(t); }); })
    .def("pyast_bench.count", [](tain::Array<AST> trees) {
      Counter counter;
      double time = Time(trees, [&](const AST& t) { counter.Visit(t); });
      count = counter.nodes;
      return time; })
    .def("pyast_bench.plain", [](tain::Array<AST> trees) {
      Plain plain;
      return Time(trees, [&](const AST& t) { plain.Visit(t); }); })
    .def("pyast_bench.function", [](tain::Array<AST> trees) {
      return Time(trees, [&](const AST& t) {
        tain::PreOrderVisit(t, [](const tain::Any&) { ++count; }); }); })
    .def("pyast_bench.mutate", [](tain::Array<AST> trees) {
      return Time(trees, [](const AST& t) {
        results.clear();
        if (!Mutate(t).same_as(t)) ++count; }); })
    .def("pyast_bench.identity", [](tain::Array<AST> trees) {
      Identity identity;
      return Time(trees, [&](const AST& t) { if (!identity.Mutate(t).same_as(t)) ++count; }); })
    .def("pyast_bench.reset", [] { return std::exchange(count, 0); });
}
}  // namespace pyast_bench
"""


def _kinds() -> dict[str, str]:
    """Return the C++ name of each kind of node, by its name in the grammar."""
    text = (graphs_trees.PYAST / "src" / "kinds.h").read_text(encoding="utf-8")
    return {name: kind for kind, name in re.findall(r"X\((\w+), +(\w+)\)", text)}


def _source() -> str:
    """Return the C++ that is measured."""
    from pyast.grammar import NODES, fields_of

    kinds = _kinds()
    hand, functor, tables = [], [], []
    for name, cls in NODES.items():
        kind = kinds[name]
        walk, mutate = [], []
        fields = [field for field in fields_of(cls) if field.is_node]
        for field in fields:
            place = f"n->{field.name}"
            optional = field.type.endswith("| None")
            each = "" if field.is_sequence else (f"if ({place}) " if optional else "")
            value = f"*{place}" if optional else place
            nullable = "| None]" in field.type
            if field.is_sequence:
                if nullable:
                    walk.append(f"for (const auto& x : {place}) if (x) VISIT(*x);")
                    mutate.append(
                        f"for (const auto& x : {place}) if (x) same &= MutateTo(*x).same_as(*x);"
                    )
                else:
                    walk.append(f"for (const auto& x : {place}) VISIT(x);")
                    mutate.append(f"for (const auto& x : {place}) same &= MutateTo(x).same_as(x);")
            else:
                walk.append(f"{each}VISIT({value});")
                mutate.append(f"{each}same &= MutateTo({value}).same_as({value});")
        cast = f"[[maybe_unused]] const auto* n = static_cast<const {kind}Obj*>(o);"
        body = " ".join(walk)
        by_hand = body.replace("VISIT", "Walk")
        hand.append(f"void Walk{kind}(const Object* o) {{ {cast} {by_hand} }}")
        functor.append(
            f"void VisitExpr_(const {kind}Obj* n) override {{ (void)n; ++count; "
            f"{body.replace('VISIT', 'Go')} }}"
        )
        hand.append(
            f"AST Mutate{kind}(const Object* o) {{ {cast} bool same = true; {' '.join(mutate)} "
            "if (!same) std::abort(); return tain::GetRef<AST>(n); }"
        )
        index = f"{kind}Obj::RuntimeTypeIndex()"
        tables.append(f"Put({index}, &Walk{kind}, &Mutate{kind});")
    listed = ", ".join(f"{kinds[name]}Obj" for name in NODES)
    dispatch = (
        f"class Dispatch : public tain::ExprFunctor<void(const ObjectRef&), {listed}> {{ public:\n"
        "void Go(const ObjectRef& x) { if (IsNew(x.get())) VisitExpr(x); }\n"
        + "\n".join(functor)
        + "\n};"
    )
    put = (
        "auto Put = [](int32_t i, WalkCode w, MutateCode m) { if (walk_calls.size() <= size_t(i)) {"
        " walk_calls.resize(i + 1); mutate_calls.resize(i + 1); } walk_calls[i] = w;"
        " mutate_calls[i] = m; };\n" + "\n".join(tables)
    )
    tail = _TAIL.replace("FILL_TABLES", put).replace("ALL_KINDS", listed)
    declared = "template <class T> T MutateTo(const T& node);\n"
    return _HEAD + declared + "\n".join(hand) + dispatch + tail


def load() -> None:
    """Compile the walks."""
    tain.cpp.load_inline(
        "pyast_bench",
        cpp_sources=_source(),
        extra_cflags=["-O2", "-DNDEBUG"],
        extra_include_paths=[str(graphs_trees.PYAST / "src")],
    )


# Each row: what is measured, the walk by hand, the largest ratio.
STEPS: dict[str, tuple[str, str, float | None]] = {
    "dispatch alone": ("dispatch", "walk", 1.5),
    "counting visitor": ("count", "walk", 3.0),
    "visitor without overrides": ("plain", "walk", 3.0),
    "function for each node and array": ("function", "walk", None),
    "identity mutator": ("identity", "mutate", 3.0),
}


def lines(quick: bool) -> list[Line]:
    """Return the rows, in nanoseconds for each node."""
    files = graphs_trees.trees(graphs_trees.FEW if quick else None, collect=False)
    trees = tain.Array([tree for _, tree in files])
    count = len(trees)
    load()
    names = sorted({name for step in STEPS.values() for name in step[:2]})
    calls = {name: tain.get_global_func(f"pyast_bench.{name}") for name in names}
    reset = tain.get_global_func("pyast_bench.reset")
    counts = {}
    for name in ("walk", "dispatch", "count"):
        reset()
        calls[name](trees)
        counts[name] = reset()
    nodes = counts["walk"]
    assert set(counts.values()) == {nodes}, counts  # all see the same nodes
    runs: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(5):
        for name, call in calls.items():
            runs[name].append(call(trees) / nodes * 1e9)
    for name in ("identity", "mutate"):
        reset()
        calls[name](trees)
        assert reset() == 0, name  # nothing changed
    return [
        summary(
            GROUP,
            f"{title}, a node of {count} files",
            "ns",
            {"tain": runs[ours], "hand": runs[hand]},
            {} if most is None else {"hand": most},
        )
        for title, (ours, hand, most) in STEPS.items()
    ]
