// SPDX-License-Identifier: Apache-2.0
// Functors over the expressions of graph_exprs.h, and functions of Python's tests that use them.
#include "graph_exprs.h"
#include "tain/graph/pass.h"
#include "tain/graph/visit.h"
#include "tain/graph/visitor.h"
#include "tain/packed_func.h"
#include "tain/reflection/access.h"
#include "testing_types.h"

namespace tain_testing::graph {
namespace {

/// Replaces sums and products of constants by their values.
class ConstantFolder : public tain::ExprMutator<Expr, AddNode, MulNode> {
 public:
  Expr VisitExpr_(const AddNode* op) override {
    return Fold<AddNode>(op, [](double a, double b) { return a + b; });
  }
  Expr VisitExpr_(const MulNode* op) override {
    return Fold<MulNode>(op, [](double a, double b) { return a * b; });
  }

 private:
  template <class Node, class F>
  Expr Fold(const Node* op, F apply) {
    Expr lhs = this->Mutate(op->lhs);
    Expr rhs = this->Mutate(op->rhs);
    if (lhs->template IsInstance<ConstantNode>() && rhs->template IsInstance<ConstantNode>()) {
      return Num(
          apply(lhs.template as<ConstantNode>()->value, rhs.template as<ConstantNode>()->value));
    }
    if (lhs.same_as(op->lhs) && rhs.same_as(op->rhs)) return tain::GetRef<Expr>(op);
    return Made<Node>(lhs, rhs);
  }
};

/// Changes nothing.
class Identity : public tain::ExprMutator<Expr, AddNode, MulNode> {};

/// Adds to each constant, by the walk over registered fields.
class AddToConstants : public tain::ExprMutator<Expr, ConstantNode> {
 public:
  explicit AddToConstants(double by) : by_(by) {}
  Expr VisitExpr_(const ConstantNode* op) override { return Num(op->value + by_); }

 private:
  double by_;
};

/// Counts what it visits.
class Counter : public tain::ExprVisitor<Expr, AddNode> {
 public:
  int64_t nodes = 0, adds = 0;
  void VisitExpr_(const AddNode*) override {
    ++nodes;
    ++adds;
    VisitPartsLater();
  }
  void VisitExprDefault_(const tain::Object*) override {
    ++nodes;
    VisitPartsLater();
  }
};

/// Counts by calls on the C stack.
class RecursiveCounter : public tain::ExprVisitor<Expr> {
 public:
  int64_t nodes = 0;
  void VisitExpr(const Expr& node) override {
    ++nodes;
    ExprVisitor::VisitExpr(node);
  }
};

/// Calls a function with the key of each node, before or after the parts of the node.
class Tracer : public tain::ExprVisitor<Expr, AddNode, MulNode> {
 public:
  explicit Tracer(tain::Function call) : call_(std::move(call)) {}
  void VisitExpr_(const AddNode* op) override {
    call_(tain::GetRef<Expr>(op));
    ExprVisitor::VisitExpr_(op);
  }
  void VisitExprDefault_(const tain::Object* op) override {
    call_(tain::GetRef<tain::ObjectRef>(op));
    ExprVisitor::VisitExprDefault_(op);
  }

 private:
  tain::Function call_;
};

/// Computes the value for a value of the variables.
class Evaluator : public tain::ExprFunctor<double(const Expr&, double), ConstantNode, VarNode,
                                           AddNode, MulNode> {
  double VisitExpr_(const ConstantNode* op, double) override { return op->value; }
  double VisitExpr_(const VarNode*, double x) override { return x; }
  double VisitExpr_(const AddNode* op, double x) override {
    return VisitExpr(op->lhs, x) + VisitExpr(op->rhs, x);
  }
  double VisitExpr_(const MulNode* op, double x) override {
    return VisitExpr(op->lhs, x) * VisitExpr(op->rhs, x);
  }
};

/// Returns 0 + 0 + ... + 0, nested to the left.
Expr DeepSum(int64_t depth) {
  Expr sum = Num(0.0);
  for (int64_t i = 0; i < depth; ++i) sum = Add(std::move(sum), Expr(Num(1.0)));
  return sum;
}

tain::Array<int64_t> Count(const Expr& expr, bool post_order) {
  Counter counter;
  post_order ? counter.VisitPostOrder(expr) : counter.Visit(expr);
  return {counter.nodes, counter.adds};
}

/// Calls a method of the object that a walk gives to hooks of types.
tain::Any Ask(const tain::Any& walk, const char* method, const Expr& child) {
  return tain::reflection::CallMethod(walk.cast<tain::ObjectRef>(), method, child);
}

void RegisterTypes() {
  using tain::arg;
  using tain::reflection::ObjectDef;
  ObjectDef<ExprNode>()
      .def("__add__", [](const Expr& a, const Expr& b) { return Expr(Add(a, b)); })
      .def("__mul__", [](const Expr& a, const Expr& b) { return Expr(Mul(a, b)); });
  ObjectDef<ConstantNode>().def_ro("value", &ConstantNode::value).def_init<double>(arg("value"));
  ObjectDef<VarNode>(tain::structural(tain::StructuralKind::kVariable))
      .def_ro("name", &VarNode::name)
      .def_init<tain::String>(arg("name"));
  ObjectDef<BinaryNode>().def_ro("lhs", &BinaryNode::lhs).def_ro("rhs", &BinaryNode::rhs);
  ObjectDef<AddNode>().def_init<Expr, Expr>(arg("lhs"), arg("rhs"));
  ObjectDef<MulNode>().def_static(
      "__create__",
      [](const Expr& lhs, const Expr& rhs) { return tain::Ref<MulNode>(Mul(lhs, rhs)); },
      arg("lhs"), arg("rhs"));
  ObjectDef<SquareNode>().def_init<Expr>(arg("x"));
  ObjectDef<HookedNode>()
      .def_ro("shown", &HookedNode::shown)
      .def_ro("hidden", &HookedNode::hidden)
      .def_init<Expr, Expr>(arg("shown"), arg("hidden"))
      .def_type_attr("__s_visit__",
                     tain::Function::FromTyped([](const tain::Any& walk, const tain::Any& node) {
                       Ask(walk, "visit", node.cast<tain::Ref<HookedNode>>()->shown);
                     }))
      .def_type_attr("__s_mutate__",
                     tain::Function::FromTyped([](const tain::Any& walk, const tain::Any& given) {
                       const auto node = given.cast<tain::Ref<HookedNode>>();
                       const tain::Any shown = Ask(walk, "mutate", node->shown);
                       return Expr(Made<HookedNode>(shown.cast<Expr>(), node->hidden));
                     }));
  ObjectDef<CallNode>()
      .def_rw("name", &CallNode::name)
      .def_rw("args", &CallNode::args)
      .def_rw("options", &CallNode::options)
      .def_rw("otherwise", &CallNode::otherwise)
      .def_init<tain::String, tain::Array<Expr>, tain::Map<tain::String, Expr>,
                tain::Optional<Expr>>(arg("name"), arg("args") = tain::Array<Expr>(),
                                      arg("options") = tain::Map<tain::String, Expr>(),
                                      arg("otherwise") = nullptr);
}

void RegisterFunctions() {
  using tain::arg;
  tain::reflection::GlobalDef()
      .def("testing.graph.fold", [](const Expr& e) { return ConstantFolder().Mutate(e); })
      .def("testing.graph.fold_deep",
           [](const Expr& e) { return ConstantFolder().MutatePostOrder(e); })
      .def("testing.graph.identity", [](const Expr& e) { return Identity().Mutate(e); })
      .def("testing.graph.add_to_constants",
           [](Expr e, double by) { return AddToConstants(by).Mutate(std::move(e)); })
      .def("testing.graph.count", &Count, arg("expr"), arg("post_order") = false)
      .def("testing.graph.count_recursively",
           [](const Expr& e) {
             RecursiveCounter counter;
             counter.Visit(e);
             return counter.nodes;
           })
      .def("testing.graph.trace",
           [](const Expr& e, const tain::Function& call) { Tracer(call).Visit(e); })
      .def("testing.graph.trace_post_order",
           [](const Expr& e, const tain::Function& call) { Tracer(call).VisitPostOrder(e); })
      .def("testing.graph.evaluate", [](const Expr& e, double x) { return Evaluator()(e, x); })
      .def("testing.graph.deep_sum", &DeepSum)
      .def("testing.graph.visit_with", [](const tain::transform::Visitor& visitor,
                                          const Expr& e) { visitor->visit(tain::Any(e)); })
      .def("testing.graph.mutate_with", [](const tain::transform::Mutator& mutator,
                                           const Expr& e) { return mutator->visit(tain::Any(e)); })
      .def("testing.graph.run_pass", [](const tain::transform::Pass& pass, const Expr& e) {
        return pass->Apply(tain::Any(e));
      });
  tain::transform::RegisterPass(tain::transform::CreatePass(
      "testing.FoldConstant", 2, [](const Expr& e) { return ConstantFolder().Mutate(e); }));
  tain::transform::RegisterPass(tain::transform::CreatePass(
      "testing.FoldIfAsked", 0, [](const Expr& e, const tain::transform::PassContext& context) {
        return context->Config<bool>("testing.fold", false) ? ConstantFolder().Mutate(e) : e;
      }));
}

}  // namespace
}  // namespace tain_testing::graph

TAIN_REGISTER {
  tain_testing::graph::RegisterTypes();
  tain_testing::graph::RegisterFunctions();
}
