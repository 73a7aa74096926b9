# SPDX-License-Identifier: Apache-2.0
"""Passes that a user writes in a C++ library of their own, beside those of the package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorexpr as tx
from tensorexpr import te, tir

import tain
import tain.cpp
from tain import transform

SOURCE = r"""
#include <tensorexpr.h>

#include <tain/graph/functor.h>
#include <tain/graph/pass.h>
#include <tain/graph/visit.h>

namespace foreign {

using namespace tensorexpr;
using tain::ObjectRef;

/// x * 2 becomes x + x, where x is a variable or in memory.
class TwiceIsASum : public tain::ExprMutator<ObjectRef, MulNode> {
 public:
  ObjectRef VisitExpr_(const MulNode* op) override {
    const PrimExpr a = tain::Downcast<PrimExpr>(Mutate(ObjectRef(op->a)));
    const PrimExpr b = tain::Downcast<PrimExpr>(Mutate(ObjectRef(op->b)));
    const bool is_simple = a.as<VarNode>() != nullptr || a.as<BufferLoadNode>() != nullptr;
    return is_simple && AsNumber(b) == 2.0 ? Add(a, a) : RemakeBinary(*op, a, b);
  }
};

/// Puts a node, whatever it is, in the places of constants of floats.
class Constants : public tain::ExprMutator<ObjectRef, FloatImmNode> {
 public:
  explicit Constants(ObjectRef other) : other_(std::move(other)) {}
  ObjectRef VisitExpr_(const FloatImmNode*) override { return other_; }

 private:
  ObjectRef other_;
};

class Loads : public tain::ExprVisitor<ObjectRef, BufferLoadNode> {
 public:
  int64_t count = 0;
  void VisitExpr_(const BufferLoadNode* op) override {
    ++count;
    ExprVisitor::VisitExpr_(op);
  }
};

PrimFunc WithCount(const PrimFunc& f) {
  Loads loads;
  loads.Visit(f->body);
  tain::Map<tain::String, tain::Any> attrs = f->attrs;
  attrs.Set("loads", loads.count);
  return PrimFunc(tain::make_object<PrimFuncNode>(f->params, f->buffer_map, f->body, attrs));
}

Stmt ChangedConstants(const Stmt& s, const ObjectRef& other) {
  return tain::Downcast<Stmt>(Constants(other).Mutate(ObjectRef(s)));
}

TAIN_REGISTER {
  using tain::transform::CreatePass;
  using tain::transform::RegisterPass;
  RegisterPass(CreatePass("foreign.TwiceIsASum", 0, [](const tain::Any& program) {
    return ForEachBody(program, [](const Stmt& s) {
      return tain::Downcast<Stmt>(TwiceIsASum().Mutate(ObjectRef(s)));
    });
  }));
  RegisterPass(CreatePass("foreign.CountLoads", 0, &WithCount));
  RegisterPass(CreatePass("foreign.Number", 0, [](const tain::Any&) { return 3; }));
  RegisterPass(CreatePass("foreign.Doubles", 0, [](const tain::Any& program) {
    return ForEachBody(program, [](const Stmt& s) {
      return ChangedConstants(s, Const(1.5, TypeOf(kDLFloat, 64)));
    });
  }));
  RegisterPass(CreatePass("foreign.Statements", 0, [](const tain::Any& program) {
    return ForEachBody(program, [](const Stmt& s) { return ChangedConstants(s, Sequence({})); });
  }));
}

}  // namespace foreign
"""


def compiled(folder: Path, include_dir: str) -> None:
    (folder / "foreign.cc").write_text(SOURCE)
    tain.cpp.load(
        "foreign",
        sources=folder / "foreign.cc",
        extra_include_paths=[include_dir],
        extra_ldflags=tx.libinfo.libs(),
    )


@pytest.fixture(scope="module", autouse=True)
def library(tmp_path_factory: pytest.TempPathFactory) -> None:
    compiled(tmp_path_factory.mktemp("foreign"), tx.libinfo.include_dir())


def program(scale: float = 2) -> Any:
    a = te.placeholder((5,), name="A")
    return te.create_prim_func([a, te.compute((5,), lambda i: a[i] * scale + 0.25, name="B")])


def named(*names: str) -> Any:
    return transform.Sequential([transform.get_pass(name) for name in names])


def test_they_run_beside_the_passes_of_the_package() -> None:
    passes = named(
        "foreign.TwiceIsASum",
        "tensorexpr.LowerBlocks",
        "foreign.CountLoads",
        "tensorexpr.Simplify",
    )
    made = passes(program())
    assert str(made.body).splitlines()[-1].strip() == "B[i] = A[i] + A[i] + T.float32(0.25)"
    assert made.attrs["loads"] == 1  # the load is one object in two places
    assert not made.same_as(program())
    x, y = np.arange(5, dtype="float32"), np.zeros(5, "float32")
    tx.build(made)(x, y)
    assert y.tolist() == (2 * x + 0.25).tolist()


def test_what_they_leave_is_the_same_object() -> None:
    before = program(scale=3)
    assert named("foreign.TwiceIsASum")(before).body.same_as(before.body)


@pytest.mark.parametrize(
    ("names", "error", "text"),
    [
        (
            ["foreign.Number", "tensorexpr.Simplify"],
            TypeError,
            r"tensorexpr\.Simplify: .*expected a program: an IRModule, a PrimFunc or a statement",
        ),
        (["foreign.Number", "foreign.CountLoads"], TypeError, "foreign.CountLoads: .*PrimFunc"),
        (["foreign.Statements"], TypeError, "foreign.Statements: .*expected .*PrimExpr.*SeqStmt"),
        (
            ["foreign.Doubles", "tensorexpr.Verify"],
            TypeError,
            "tensorexpr.Verify: .*Add, operand b: expected float32, got float64",
        ),
    ],
)
def test_a_wrong_result_is_an_error(names: list[str], error: type, text: str) -> None:
    with pytest.raises(error, match=text):
        named(*names)(program())


def test_code_is_made_of_no_program_with_wrong_types() -> None:
    with pytest.raises(TypeError, match="expected float32, got float64"):
        tx.build(named("foreign.Doubles")(program()))


I, X, Y = tir.Var("i"), tir.Var("x", "float32"), tir.Var("y", "float64")  # noqa: E741
OUT = tir.decl_buffer((8,), "float32", "out")


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (X * X + 1, "Mul: expected float32, got float64"),
        (
            tir.Select(I < 4, X, tir.const(1, "float32")),
            "Select, true_value: expected float32, got",
        ),
        (
            tir.Let(tir.Var("z", "float32"), X, tir.exp(I * 1.0)),
            "Let, value: expected float32, got",
        ),
        (X, "BufferStore: out holds float32, got float64"),
    ],
)
def test_types_that_a_pass_in_python_confuses(value: Any, where: str) -> None:
    store = tir.BufferStore(OUT, value, [I])
    made = tain.rewrite(store, lambda node: Y if node is X else None)
    handle = tir.Var("h", "handle")
    function = tir.PrimFunc([I, X, Y, handle], {handle: OUT}, made)
    with pytest.raises(TypeError, match=where):
        named("tensorexpr.Verify")(function)
