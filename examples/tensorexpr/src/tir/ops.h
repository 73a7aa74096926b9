// SPDX-License-Identifier: Apache-2.0
// Making expressions: what Python writes as operators and functions. Types are matched, constants folded.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "buffer.h"

namespace tensorexpr {

/// A parameter that takes an expression, or what stands for one: a number, a text, an axis, a tensor
/// without dimensions.
struct ExprArg {
  PrimExpr expr;
  bool is_literal;  ///< a number of the host language, which takes the type of the other operand
  ExprArg(PrimExpr its_expr, bool literal = false)  // NOLINT: the same expression
      : expr(std::move(its_expr)), is_literal(literal) {}
};

// ---------------------------------------------------------------- constants

TAIN_DLL_EXPORT PrimExpr IntConst(int64_t value, DType dtype = kInt32);
/// A constant of any type of numbers. Throws TypeError for others, OverflowError for an integer that
/// the type does not have.
TAIN_DLL_EXPORT PrimExpr Const(double value, DType dtype);
TAIN_DLL_EXPORT PrimExpr BoolConst(bool value, int lanes = 1);
inline PrimExpr True() { return BoolConst(true); }
/// Returns the value of an integer or bool constant, also of a vector of equal ones.
TAIN_DLL_EXPORT std::optional<int64_t> AsInt(const PrimExpr& e);
/// Returns the value of any constant number.
TAIN_DLL_EXPORT std::optional<double> AsNumber(const PrimExpr& e);
TAIN_DLL_EXPORT bool IsConstInt(const PrimExpr& e, int64_t value);

// ---------------------------------------------------------------- operators

/// The operators of two operands. Operands of different types are promoted as numpy promotes arrays
/// (but an integer with a float takes the type of the float), and
/// numbers of the host language take the type of the other operand. Each throws TypeError for operands
/// that have no common type.
TAIN_DLL_EXPORT PrimExpr Add(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr Sub(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr Mul(const ExprArg& a, const ExprArg& b);
/// The quotient of floats. Throws TypeError for integers: they have several.
TAIN_DLL_EXPORT PrimExpr Div(const ExprArg& a, const ExprArg& b);
/// Rounded towards zero, as C does it.
TAIN_DLL_EXPORT PrimExpr TruncDiv(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr TruncMod(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr FloorDiv(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr FloorMod(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr Min(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr Max(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr EQ(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr NE(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr LT(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr LE(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr GT(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr GE(const ExprArg& a, const ExprArg& b);
/// The logic of bools. Throws TypeError for others.
TAIN_DLL_EXPORT PrimExpr And(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr Or(const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr Not(const ExprArg& a);
TAIN_DLL_EXPORT PrimExpr Neg(const ExprArg& a);
TAIN_DLL_EXPORT PrimExpr Select(const ExprArg& condition, const ExprArg& if_true,
                                const ExprArg& if_false);

/// Converts to a data type. Lanes are kept if the type has one.
TAIN_DLL_EXPORT PrimExpr CastTo(const PrimExpr& value, DType dtype);
/// A vector of equal elements.
TAIN_DLL_EXPORT PrimExpr Broadcast(const PrimExpr& value, int64_t lanes);
TAIN_DLL_EXPORT PrimExpr Ramp(const PrimExpr& base, const PrimExpr& stride, int64_t lanes);

/// The operations on the bits of integers: "bitwise_and", "bitwise_or", "bitwise_xor", "shift_left" and
/// "shift_right". A shift by more bits than there are gives what shifting one by one gives. Throws
/// TypeError for floats and bools.
TAIN_DLL_EXPORT PrimExpr Bitwise(const char* op, const ExprArg& a, const ExprArg& b);
TAIN_DLL_EXPORT PrimExpr BitwiseNot(const ExprArg& a);

/// Throws ValueError if an operation is called with another number of arguments than it has.
TAIN_DLL_EXPORT void CheckArity(std::string_view op, size_t given);
/// An operation on a float (exp, log ...) or on any number (abs). Throws TypeError for other types.
TAIN_DLL_EXPORT PrimExpr Math(const std::string& op, const std::vector<ExprArg>& args);

/// Returns a number of the host language in the type of the other operand; another operand, and a float
/// beside integers, as it is. Throws OverflowError for an integer that the type does not have.
TAIN_DLL_EXPORT PrimExpr LiteralAs(const char* op, const ExprArg& e, DType like);
/// Brings two operands to one type; throws TypeError that names `op`.
TAIN_DLL_EXPORT void Match(const char* op, ExprArg* a, ExprArg* b);

/// Makes a node of a class from its operands, simplified where both are constants. If the result would be
/// equal to `same`, that is returned.
template <class Node>
PrimExpr MakeBinary(const PrimExpr& a, const PrimExpr& b, const BinaryNode* same = nullptr);
/// Makes a binary node of the class of `like`; returns `like` itself if nothing changes.
TAIN_DLL_EXPORT PrimExpr RemakeBinary(const BinaryNode& like, const PrimExpr& a, const PrimExpr& b);

}  // namespace tensorexpr

template <>
struct tain::TypeTraits<tensorexpr::ExprArg> : tain::CustomTraits<tensorexpr::ExprArg> {
  static std::string type_str() { return "PrimExpr | float | str"; }
  static tain::Any to_any(const tensorexpr::ExprArg& e) { return tain::Any(e.expr); }
  TAIN_DLL_EXPORT static std::optional<tensorexpr::ExprArg> from_any(const tain::AnyView& a);
};
