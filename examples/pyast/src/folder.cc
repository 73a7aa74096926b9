// SPDX-License-Identifier: Apache-2.0
// Folder: replaces operations on constants by their results, as CPython does before it compiles.
//
// A method that folds its node leaves the constant in `folded_`; whoever visits an expression puts
// it in the expression's place. Annotations stay, because a module may keep their text, and so does
// an expression that stands alone, because a str there would become documentation.
#include <utility>

#include "children.h"
#include "constants.h"
#include "visitor.h"

namespace pyast {

struct FolderObj : VisitorObj {
  int64_t unary = 0;
  int64_t binary = 0;
  int64_t comparison = 0;
  int64_t tuple = 0;
  int64_t subscript = 0;

  FolderObj(tain::Function evaluate, bool compare, bool everywhere)
      : constants_(std::move(evaluate)), compare_(compare), everywhere_(everywhere) {}

  AST Fold(const AST& tree);

  void generic_visit_impl(const AST& node) override;
  void visit_UnaryOp_impl(const UnaryOp& node) override;
  void visit_BinOp_impl(const BinOp& node) override;
  void visit_Compare_impl(const Compare& node) override;
  void visit_Tuple_impl(const Tuple& node) override;
  void visit_Subscript_impl(const Subscript& node) override;
  void visit_Slice_impl(const Slice& node) override;
  void visit_Return_impl(const Return& node) override;
  void visit_Assign_impl(const Assign& node) override;

  void visit_Expr_impl(const ExprStmt& node) override { generic_visit(node->value); }
  void visit_arg_impl(const Arg&) override {}
  void visit_AnnAssign_impl(const AnnAssign& node) override { Visit(node->target, node->value); }
  void visit_FunctionDef_impl(const FunctionDef& node) override { VisitFunction(*node); }
  void visit_AsyncFunctionDef_impl(const AsyncFunctionDef& node) override { VisitFunction(*node); }

  TAIN_OBJECT("pyast.Folder", FolderObj, VisitorObj);

 private:
  /// Visits children, and puts in the place of expressions what they were folded to.
  class Replace final : public ChildVisitor {
   public:
    explicit Replace(FolderObj& folder) : folder_(folder) {}
    void Node(const AST& child) override { folder_.visit(child); }
    Expr Expression(const Expr& child) override {
      folder_.visit(AST(child));
      const tain::Ptr<ConstantObj> folded = std::exchange(folder_.folded_, nullptr);
      return folded ? Expr(Constant(folded)) : child;
    }

   private:
    FolderObj& folder_;
  };

  /// Visits some fields of a node.
  template <class... M>
  void Visit(M&... fields) {
    Replace replace(*this);
    (VisitField(fields, replace), ...);
  }
  template <class F>
  void VisitFunction(F& function) {
    Visit(function.args, function.body, function.decorator_list, function.type_params);
  }
  /// Folds what is below an expression, which stays itself.
  void Keep(const Optional<Expr>& expression) {
    if (expression) generic_visit(*expression);
  }
  /// Leaves the result of an operation for whoever holds the node.
  void Put(const ExprObj& node, Folded result, int64_t& count);

  Constants constants_;
  bool compare_;
  bool everywhere_;
  tain::Ptr<ConstantObj> folded_;
};

namespace {

/// The value of an expression that is a constant.
const Any* ValueOf(const Expr& expression) {
  const auto* constant = expression.as<ConstantObj>();
  return constant == nullptr ? nullptr : &constant->value;
}

}  // namespace

void FolderObj::Put(const ExprObj& node, Folded result, int64_t& count) {
  if (!result) return;
  ++count;
  const Place& place = node;
  folded_ = tain::make_object<ConstantObj>(ExprObj{{}, place}, *std::move(result), nullptr);
}

AST FolderObj::Fold(const AST& tree) {
  visit(tree);
  const tain::Ptr<ConstantObj> folded = std::exchange(folded_, nullptr);
  return folded ? AST(Constant(folded)) : tree;
}

void FolderObj::generic_visit_impl(const AST& node) {
  Replace replace(*this);
  VisitChildren(*node, replace);
}

void FolderObj::visit_UnaryOp_impl(const UnaryOp& node) {
  generic_visit(AST(node));
  if (const Any* operand = ValueOf(node->operand)) {
    Put(*node, constants_.Unary(node->op, *operand), unary);
  }
}

void FolderObj::visit_BinOp_impl(const BinOp& node) {
  if (!everywhere_ && node->op == Operator::kMod && node->right.as<TupleObj>() != nullptr) {
    Keep(node->left);
    return Keep(node->right);
  }
  generic_visit(AST(node));
  const Any *left = ValueOf(node->left), *right = ValueOf(node->right);
  if (left != nullptr && right != nullptr) {
    Put(*node, constants_.Binary(node->op, *left, *right), binary);
  }
}

void FolderObj::visit_Compare_impl(const Compare& node) {
  generic_visit(AST(node));
  if (!compare_ || node->ops.size() != node->comparators.size()) return;
  Expr left = node->left;
  Folded result;
  for (int64_t i = 0; i < static_cast<int64_t>(node->ops.size()); ++i) {
    const Expr right = node->comparators[i];
    const Any *a = ValueOf(left), *b = ValueOf(right);
    if (a == nullptr || b == nullptr) return;
    result = constants_.Compare(node->ops[i], *a, *b);
    if (!result) return;
    if (!result->cast<bool>()) break;  // the rest is not evaluated
    left = right;
  }
  Put(*node, result, comparison);
}

void FolderObj::visit_Tuple_impl(const Tuple& node) {
  generic_visit(AST(node));
  if (node->ctx != ExprContext::kLoad) return;
  Array<Any> items;
  for (const Expr& element : node->elts) {
    const Any* value = ValueOf(element);
    if (value == nullptr) return;
    items.push_back(*value);
  }
  Put(*node, Any(items), tuple);
}

void FolderObj::visit_Subscript_impl(const Subscript& node) {
  generic_visit(AST(node));
  const Any *value = ValueOf(node->value), *index = ValueOf(node->slice);
  if (node->ctx == ExprContext::kLoad && value != nullptr && index != nullptr) {
    Put(*node, constants_.Subscript(*value, *index), subscript);
  }
}

void FolderObj::visit_Slice_impl(const Slice& node) {
  if (everywhere_) return generic_visit(AST(node));
  Keep(node->lower);
  Keep(node->upper);
  Keep(node->step);
}

void FolderObj::visit_Return_impl(const Return& node) {
  if (everywhere_) return generic_visit(AST(node));
  Keep(node->value);
}

void FolderObj::visit_Assign_impl(const Assign& node) {
  if (everywhere_ || node->value.as<TupleObj>() == nullptr) return generic_visit(AST(node));
  Visit(node->targets);
  Keep(node->value);
}

TAIN_REGISTER {
  using tain::arg;
  tain::reflection::ObjectDef<FolderObj>("Replaces operations on constants by their results.")
      .def_init<tain::Function, bool, bool>(
          arg("evaluate", "does what C++ does not: `evaluate(name of an operator, *operands)`") =
              nullptr,
          arg("compare", "whether comparisons are folded, which CPython does not do") = true,
          arg("everywhere",
              "whether bounds of slices, values of return, assigned tuples and tuples after % are "
              "folded too, of "
              "which the compiler of Python 3.14 makes something else if they are constants") =
              true)
      .def("fold", &FolderObj::Fold, arg("tree"),
           "Folds a tree in place; the tree, or the constant that it is now.")
      .def_ro("unary", &FolderObj::unary, "how many were folded, of each kind")
      .def_ro("binary", &FolderObj::binary)
      .def_ro("comparison", &FolderObj::comparison)
      .def_ro("tuple", &FolderObj::tuple)
      .def_ro("subscript", &FolderObj::subscript);
}

}  // namespace pyast
