// SPDX-License-Identifier: Apache-2.0
// The abstract classes of Python's grammar, its enumerations, and handles to nodes.
//
// A node of the grammar is a struct with the grammar's fields and nothing else; its C++ base is the
// rule it belongs to. `Expr` is a handle to any expression, `tain::Optional<Expr>` may be missing,
// `tain::Array<Expr>` is a sequence. Concrete nodes are in expressions.h, statements.h, patterns.h
// and modules.h.
#pragma once

#include <tain/tain.h>

namespace pyast {

using tain::Any;
using tain::Array;
using tain::Optional;
using tain::Ref;
using tain::String;

/// Where a node stands in the source: lines count from 1, columns in bytes of UTF-8 from 0.
struct Place {
  int32_t lineno = 1;
  int32_t col_offset = 0;
  Optional<int32_t> end_lineno;
  Optional<int32_t> end_col_offset;
};

/// Any node.
struct ASTObj : tain::Object {
  TAIN_OBJECT("pyast.AST", ASTObj, tain::Object);
};
/// What is compiled as a whole.
struct ModObj : ASTObj {
  TAIN_OBJECT("pyast.mod", ModObj, ASTObj);
};
struct StmtObj : ASTObj, Place {
  TAIN_OBJECT("pyast.stmt", StmtObj, ASTObj);
};
struct ExprObj : ASTObj, Place {
  TAIN_OBJECT("pyast.expr", ExprObj, ASTObj);
};
/// The rule of `except` clauses, which has one alternative.
struct HandlerObj : ASTObj, Place {
  TAIN_OBJECT("pyast.excepthandler", HandlerObj, ASTObj);
};
struct PatternObj : ASTObj, Place {
  TAIN_OBJECT("pyast.pattern", PatternObj, ASTObj);
};
/// The rule of `# type: ignore` comments, which has one alternative.
struct IgnoreObj : ASTObj {
  TAIN_OBJECT("pyast.type_ignore", IgnoreObj, ASTObj);
};
struct TypeParamObj : ASTObj, Place {
  TAIN_OBJECT("pyast.type_param", TypeParamObj, ASTObj);
};

using AST = Ref<ASTObj>;
using Stmt = Ref<StmtObj>;
using Expr = Ref<ExprObj>;
using Handler = Ref<HandlerObj>;
using Pattern = Ref<PatternObj>;
using Ignore = Ref<IgnoreObj>;
using TypeParam = Ref<TypeParamObj>;

enum class ExprContext : int8_t { kLoad, kStore, kDel };
enum class BoolOperator : int8_t { kAnd, kOr };
enum class Operator : int8_t {
  kAdd,
  kSub,
  kMult,
  kMatMult,
  kDiv,
  kMod,
  kPow,
  kLShift,
  kRShift,
  kBitOr,
  kBitXor,
  kBitAnd,
  kFloorDiv
};
enum class UnaryOperator : int8_t { kInvert, kNot, kUAdd, kUSub };
enum class Comparison : int8_t { kEq, kNotEq, kLt, kLtE, kGt, kGtE, kIs, kIsNot, kIn, kNotIn };

}  // namespace pyast
