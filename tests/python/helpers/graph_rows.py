# SPDX-License-Identifier: Apache-2.0
"""What the documents that tain follows show of graphs, for test_source_documents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tain.types.testing import Vector
from tain.types.testing.graph import Add, Constant, Mul, Var

import tain
from tain import transform


def notes_28() -> None:
    source = """
        #include <tain/graph/functor.h>
        #include <tvm/runtime/registry.h>
        #include "graph_exprs.h"
        using namespace tain;
        using namespace tain_testing::graph;
        class ConstantFolder : public ExprMutator<Expr, AddNode, MulNode> {
         private:
          Optional<Constant> Sum(const Expr& lhs, const Expr& rhs) {
            const double sum = lhs.as<ConstantNode>()->value + rhs.as<ConstantNode>()->value;
            if (sum > 1000) return std::nullopt;
            return Constant(make_object<ConstantNode>(sum));
          }

         public:
          Expr VisitExpr_(const AddNode* op) override {
            Expr lhs = this->Mutate(op->lhs);
            Expr rhs = this->Mutate(op->rhs);
            if (lhs->IsInstance<ConstantNode>() && rhs->IsInstance<ConstantNode>()) {
              Optional<Constant> result = Sum(lhs, rhs);
              if (result) return result.value();
            }
            if (lhs.same_as(op->lhs) && rhs.same_as(op->rhs)) return GetRef<Expr>(op);
            return Add(lhs, rhs);
          }
          Expr Fold(const Expr& expr) { return this->Mutate(expr); }
        };
        TVM_REGISTER_GLOBAL("source_documents.fold").set_body_typed([](Expr e) {
          ConstantFolder folder;
          return folder.Fold(e);
        });
    """
    headers = str(Path(__file__).resolve().parents[2] / "testing_lib")
    tain.cpp.load_inline("source_documents_fold", cpp_sources=source, extra_include_paths=[headers])
    fold = tain.get_global_func("source_documents.fold")
    graph = (Constant(1) + Constant(2)) * (Var("x") + (Constant(600) + Constant(700)))
    folded = fold(graph)
    assert (folded.lhs.value, folded.rhs is graph.rhs) == (3, True)

    def rename_all(tree: Any) -> Any:
        return tain.rewrite(tree, lambda node: Var("y") if isinstance(node, Var) else None)

    rename = transform.create_pass(opt_level=3)(rename_all)
    passes = [transform.create_pass(name="fold")(fold), rename]
    with transform.PassContext(opt_level=3):
        made = transform.Sequential(passes)(graph)
    assert (made.lhs.value, made.rhs.lhs.name) == (3, "y")
    with transform.PassContext(opt_level=2):
        assert transform.Sequential(passes)(graph).rhs is graph.rhs
    assert tain.get_global_func("testing.graph.evaluate")(folded, 1.0) == 3 * 1301
    assert [variable.name for variable in tain.free_vars(graph)] == ["x"]


def packedfunc_15() -> None:
    array = tain.convert([1, 2, 3])
    text = tain.save_json(array)
    assert isinstance(text, str)
    tain.assert_structural_equal(tain.load_json(text), array, map_free_vars=True)
    vector = Vector(1, 2)
    shared = tain.load_json(tain.save_json([vector, vector]))
    assert shared[0] is shared[1] and shared[0] == vector


def packedfunc_30() -> None:
    add = tain.convert(lambda a, b: a + b)
    x, y = Var("v"), Var("v")
    made = add(x, y)
    assert isinstance(made, Add) and made is not Add(x, y)
    tain.assert_structural_equal(made, Add(x, y), map_free_vars=True)
    tain.assert_structural_equal(made, Add(x, y))
    # Other variables of these names stand for x and y, one for one and in the same places.
    tain.assert_structural_equal(made, Add(Var("v"), Var("v")), map_free_vars=True)
    assert not tain.structural_equal(made, Add(Var("v"), Var("v")))
    for other in (Add(x, x), Mul(x, y), Add(x, Constant(1)), Add(x, Add(x, y))):
        assert not tain.structural_equal(made, other, map_free_vars=True)
    difference = tain.first_mismatch(add(made, x), Add(Add(y, x), x), map_free_vars=True)
    assert difference is not None and str(difference.path_a) == "<root>.rhs"
    deep = add(made, add(Constant(1), x))
    by_hand = Add(Add(x, y), Add(Constant(1), x))
    tain.assert_structural_equal(deep, by_hand, map_free_vars=True)
    assert tain.structural_hash(deep, True) == tain.structural_hash(by_hand, True)


ROWS: dict[str, Callable[[], None]] = {
    "notes-28": notes_28,
    "packedfunc-15": packedfunc_15,
    "packedfunc-30": packedfunc_30,
}
