// SPDX-License-Identifier: Apache-2.0
// The abstract classes and the enumerations, as Python sees them.
#include "ast.h"

namespace pyast {
namespace {

using tain::reflection::EnumDef;
using tain::reflection::ObjectDef;

/// Describes a rule whose nodes have a place.
template <class T>
void DescribePlaced(const char* doc) {
  ObjectDef<T>(doc)
      .def_rw("lineno", &T::lineno, "first line, counted from 1")
      .def_rw("col_offset", &T::col_offset, "bytes of UTF-8 before it in that line")
      .def_rw("end_lineno", &T::end_lineno)
      .def_rw("end_col_offset", &T::end_col_offset);
}

}  // namespace

TAIN_REGISTER {
  EnumDef<ExprContext>("pyast.expr_context", "What is done with a name, attribute or item.")
      .value("Load", ExprContext::kLoad)
      .value("Store", ExprContext::kStore)
      .value("Del", ExprContext::kDel);
  EnumDef<BoolOperator>("pyast.boolop", "`and`, `or`.")
      .value("And", BoolOperator::kAnd)
      .value("Or", BoolOperator::kOr);
  EnumDef<Operator>("pyast.operator", "Operators between two values.")
      .value("Add", Operator::kAdd)
      .value("Sub", Operator::kSub)
      .value("Mult", Operator::kMult)
      .value("MatMult", Operator::kMatMult)
      .value("Div", Operator::kDiv)
      .value("Mod", Operator::kMod)
      .value("Pow", Operator::kPow)
      .value("LShift", Operator::kLShift)
      .value("RShift", Operator::kRShift)
      .value("BitOr", Operator::kBitOr)
      .value("BitXor", Operator::kBitXor)
      .value("BitAnd", Operator::kBitAnd)
      .value("FloorDiv", Operator::kFloorDiv);
  EnumDef<UnaryOperator>("pyast.unaryop", "Operators before a value.")
      .value("Invert", UnaryOperator::kInvert)
      .value("Not", UnaryOperator::kNot)
      .value("UAdd", UnaryOperator::kUAdd)
      .value("USub", UnaryOperator::kUSub);
  EnumDef<Comparison>("pyast.cmpop", "Operators that compare.")
      .value("Eq", Comparison::kEq)
      .value("NotEq", Comparison::kNotEq)
      .value("Lt", Comparison::kLt)
      .value("LtE", Comparison::kLtE)
      .value("Gt", Comparison::kGt)
      .value("GtE", Comparison::kGtE)
      .value("Is", Comparison::kIs)
      .value("IsNot", Comparison::kIsNot)
      .value("In", Comparison::kIn)
      .value("NotIn", Comparison::kNotIn);
  ObjectDef<ASTObj>("Any node.");
  ObjectDef<ModObj>("What is compiled as a whole.");
  ObjectDef<IgnoreObj>("A `# type: ignore` comment.");
  DescribePlaced<StmtObj>("A statement.");
  DescribePlaced<ExprObj>("An expression.");
  DescribePlaced<HandlerObj>("A clause that handles exceptions.");
  DescribePlaced<PatternObj>("A pattern of a `match` statement.");
  DescribePlaced<TypeParamObj>("A parameter of a generic function, class or alias.");
}

}  // namespace pyast
