// SPDX-License-Identifier: Apache-2.0
// Which operation goes where: to int64 and double, to sequences, to Python; see constants.h.
#include "constants.h"

#include <cmath>
#include <limits>

#include "arithmetic.h"
#include "sequences.h"

namespace pyast {
namespace {

using Items = Array<Any>;
using tain::Bytes;

std::optional<int64_t> IntOf(const Any& value) {
  if (const auto truth = value.as<bool>()) return *truth ? 1 : 0;
  return value.as<int64_t>();
}

/// A float, or an integer that is one exactly.
std::optional<double> FloatOf(const Any& value) {
  constexpr int64_t kMaxExact = int64_t{1} << 53;
  if (const auto number = value.as<double>()) return number;
  const auto number = IntOf(value);
  if (!number || *number > kMaxExact || *number < -kMaxExact) return std::nullopt;
  return static_cast<double>(*number);
}

/// Integers of any size, float, and what only Python knows: complex and `...`.
bool MayBeNumber(const Any& value) {
  return IntOf(value) || value.as<double>() || value.type_index() == kTainBigInt ||
         value.type_index() == kTainOpaquePyObject;
}

/// True and False of Python, if both operands are of type T and ordered.
template <class T>
bool Ordered(Comparison op, const T& left, const T& right) {
  switch (op) {
    case Comparison::kLt: return left < right;
    case Comparison::kLtE: return left <= right;
    case Comparison::kGt: return left > right;
    default: return left >= right;
  }
}

const char* NameOf(Operator op) {
  switch (op) {
    case Operator::kAdd: return "add";
    case Operator::kSub: return "sub";
    case Operator::kMult: return "mul";
    case Operator::kMatMult: return "matmul";
    case Operator::kDiv: return "truediv";
    case Operator::kMod: return "mod";
    case Operator::kPow: return "pow";
    case Operator::kLShift: return "lshift";
    case Operator::kRShift: return "rshift";
    case Operator::kBitOr: return "or_";
    case Operator::kBitXor: return "xor";
    case Operator::kBitAnd: return "and_";
    case Operator::kFloorDiv: return "floordiv";
  }
  return "";
}

const char* NameOf(Comparison op) {
  switch (op) {
    case Comparison::kLt: return "lt";
    case Comparison::kLtE: return "le";
    case Comparison::kGt: return "gt";
    default: return "ge";
  }
}

Folded Negated(const Folded& truth) {
  if (!truth) return std::nullopt;
  return Any(!truth->cast<bool>());
}

bool IsSingleton(const Any& value) { return value == nullptr || value.as<bool>(); }

}  // namespace

template <class... A>
Folded Constants::Evaluate(const char* name, const A&... operands) const {
  if (!evaluate_.defined()) return std::nullopt;
  Any result = evaluate_(name, operands...);
  if (result == nullptr) return std::nullopt;
  return result;
}

Folded Constants::Unary(UnaryOperator op, const Any& operand) const {
  const auto integer = IntOf(operand);
  const auto number = operand.as<double>();
  switch (op) {
    case UnaryOperator::kNot:
      if (operand == nullptr) return Any(true);
      if (integer) return Any(*integer == 0);
      if (number) return Any(*number == 0);
      if (const auto length = Length(operand)) return Any(*length == 0);
      return Evaluate("not_", operand);
    case UnaryOperator::kInvert:
      if (integer) return Any(~*integer);
      return MayBeNumber(operand) ? Evaluate("invert", operand) : std::nullopt;
    case UnaryOperator::kUAdd:
      if (integer) return Any(*integer);
      if (number) return Any(*number);
      return MayBeNumber(operand) ? Evaluate("pos", operand) : std::nullopt;
    case UnaryOperator::kUSub:
      if (integer && *integer != std::numeric_limits<int64_t>::min()) return Any(-*integer);
      if (number) return Any(-*number);
      return MayBeNumber(operand) ? Evaluate("neg", operand) : std::nullopt;
  }
  return std::nullopt;
}

Folded Constants::Binary(Operator op, const Any& left, const Any& right) const {
  const bool bitwise = op == Operator::kBitAnd || op == Operator::kBitOr || op == Operator::kBitXor;
  if (const auto a = left.as<bool>(), b = right.as<bool>(); a && b && bitwise) {
    return Any(IntBinary(op, *a, *b)->cast<int64_t>() != 0);
  }
  const auto a = IntOf(left), b = IntOf(right);
  if (a && b) {
    if (Folded result = IntBinary(op, *a, *b)) return result;
  } else if (const auto x = FloatOf(left), y = FloatOf(right); x && y) {
    if (const auto result = FloatBinary(op, *x, *y)) return Any(*result);
  } else if (op == Operator::kMult && (a || b)) {
    if (Folded result = a ? Repeat(right, *a) : Repeat(left, *b)) return result;
  } else if (op == Operator::kAdd) {
    if (Folded result = Concatenate(left, right)) return result;
  }
  if (!MayBeNumber(left) || !MayBeNumber(right)) return std::nullopt;
  return Evaluate(NameOf(op), left, right);
}

Folded Constants::Compare(Comparison op, const Any& left, const Any& right) const {
  switch (op) {
    case Comparison::kEq: return Equal(left, right);
    case Comparison::kNotEq: return Negated(Equal(left, right));
    case Comparison::kIs:
      if (!IsSingleton(left) || !IsSingleton(right)) return std::nullopt;
      return Any(left.same_as(right));
    case Comparison::kIsNot: return Negated(Compare(Comparison::kIs, left, right));
    case Comparison::kIn: return Contains(right, left);
    case Comparison::kNotIn: return Negated(Contains(right, left));
    default: return Order(op, left, right);
  }
}

Folded Constants::Equal(const Any& left, const Any& right) const {
  if (const auto a = IntOf(left), b = IntOf(right); a && b) return Any(*a == *b);
  if (const auto a = FloatOf(left), b = FloatOf(right); a && b) return Any(*a == *b);
  if (const auto a = left.as<String>(), b = right.as<String>(); a && b) return Any(*a == *b);
  if (const auto a = left.as<Bytes>(), b = right.as<Bytes>(); a && b) return Any(*a == *b);
  if (const auto a = left.as<Items>(), b = right.as<Items>(); a && b) {
    if (a->size() != b->size()) return Any(false);
    for (int64_t i = 0; i < static_cast<int64_t>(a->size()); ++i) {
      const Folded equal = Equal((*a)[i], (*b)[i]);
      if (!equal || !equal->cast<bool>()) return equal;
    }
    return Any(true);
  }
  if (MayBeNumber(left) && MayBeNumber(right)) return Evaluate("eq", left, right);
  return Any(left == nullptr && right == nullptr);
}

Folded Constants::Order(Comparison op, const Any& left, const Any& right) const {
  if (const auto a = IntOf(left), b = IntOf(right); a && b) return Any(Ordered(op, *a, *b));
  if (const auto a = FloatOf(left), b = FloatOf(right); a && b) return Any(Ordered(op, *a, *b));
  if (const auto a = left.as<String>(), b = right.as<String>(); a && b) {
    return Any(Ordered<std::string_view>(op, *a, *b));  // UTF-8 sorts as the characters do
  }
  if (const auto a = left.as<Bytes>(), b = right.as<Bytes>(); a && b) {
    return Any(Ordered<std::string_view>(op, *a, *b));
  }
  if (const auto a = left.as<Items>(), b = right.as<Items>(); a && b) {
    for (int64_t i = 0; i < static_cast<int64_t>(std::min(a->size(), b->size())); ++i) {
      const Folded equal = Equal((*a)[i], (*b)[i]);
      if (!equal) return std::nullopt;
      if (!equal->cast<bool>()) return Order(op, (*a)[i], (*b)[i]);
    }
    return Any(Ordered(op, a->size(), b->size()));
  }
  if (!MayBeNumber(left) || !MayBeNumber(right)) return std::nullopt;
  return Evaluate(NameOf(op), left, right);
}

Folded Constants::Contains(const Any& container, const Any& value) const {
  if (const auto contains = ContainsText(container, value)) return Any(*contains);
  if (const auto bytes = container.as<Bytes>()) {
    const auto byte = IntOf(value);
    if (!byte || *byte < 0 || *byte > 255) return std::nullopt;
    const char wanted = static_cast<char>(*byte);
    return Any(std::string_view(*bytes).find(wanted) != std::string_view::npos);
  }
  const auto items = container.as<Items>();
  if (!items) return std::nullopt;
  for (const Any& item : *items) {
    const Folded equal = Equal(item, value);
    if (!equal || equal->cast<bool>()) return equal;
  }
  return Any(false);
}

Folded Constants::Subscript(const Any& value, const Any& index) const {
  const auto position = IntOf(index);
  if (!position) return std::nullopt;
  return Item(value, *position);
}

}  // namespace pyast
