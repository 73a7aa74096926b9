// SPDX-License-Identifier: Apache-2.0
// Operators; see ops.h.
#include "ops.h"

#include <algorithm>
#include <cmath>

#include "tir/intrinsics.h"

namespace tensorexpr {
namespace {

template <class Node, class... Args>
PrimExpr New(Args&&... args) {
  return PrimExpr(tain::make_object<Node>(std::forward<Args>(args)...));
}

/// Returns the type to which operands of two types are promoted; nothing if there is none.
std::optional<DType> CommonType(DType a, DType b) {
  const int lanes = std::max<int>(a.lanes, b.lanes);
  if (a.lanes != b.lanes && a.lanes != 1 && b.lanes != 1) return std::nullopt;
  if (!IsNumber(a) || !IsNumber(b)) return std::nullopt;
  const DType x = ElementOf(a), y = ElementOf(b);
  if (x == y) return WithLanes(x, lanes);
  if (IsBool(x)) return WithLanes(y, lanes);
  if (IsBool(y)) return WithLanes(x, lanes);
  if (IsFloat(x) != IsFloat(y)) return WithLanes(IsFloat(x) ? x : y, lanes);
  if (x.code == y.code) return WithLanes(x.bits > y.bits ? x : y, lanes);
  if (IsFloat(x)) return std::nullopt;  // float16 and bfloat16
  const DType is_signed = IsInt(x) ? x : y, is_unsigned = IsInt(x) ? y : x;
  if (is_signed.bits > is_unsigned.bits) return WithLanes(is_signed, lanes);
  if (is_unsigned.bits >= 64) return std::nullopt;
  return WithLanes(TypeOf(kDLInt, is_unsigned.bits * 2), lanes);
}

[[noreturn]] void ThrowTypes(const char* op, const ExprArg& a, const ExprArg& b) {
  TAIN_THROW(TypeError) << op << ": no common type of " << Text(a.expr->dtype) << " and "
                        << Text(b.expr->dtype) << "; convert one of them with astype()";
}

/// A number of the host language in the type of the other operand: a float stays a float. Throws
/// OverflowError for an integer that the type does not have.
PrimExpr Literal(const char* op, const PrimExpr& value, DType like) {
  if (!IsNumber(like) || !IsNumber(value->dtype)) return value;
  if (const auto* number = value.as<FloatImmNode>()) {
    return IsFloat(like) ? Const(number->value, like) : value;
  }
  if (IsBool(like) && !IsBool(value->dtype)) return value;
  const int64_t number = *AsInt(value);
  if (IsInteger(like) && (number < MinOf(like) || number > MaxOf(like))) {
    TAIN_THROW(OverflowError) << op << ": " << number << " is no value of " << Text(ElementOf(like))
                              << ", the type of the other operand; convert that with astype()";
  }
  return Broadcast(CastTo(value, ElementOf(like)), like.lanes);
}

PrimExpr ToType(const PrimExpr& e, DType dtype) {
  PrimExpr result = e;
  if (ElementOf(e->dtype) != ElementOf(dtype)) result = CastTo(e, WithLanes(dtype, e->dtype.lanes));
  return result->dtype.lanes == dtype.lanes ? result : Broadcast(result, dtype.lanes);
}

int64_t FloorDivInt(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

using U = uint64_t;  // integers wrap around, as they do in the generated code
int64_t Fold(const AddNode*, int64_t a, int64_t b) { return static_cast<int64_t>(U(a) + U(b)); }
int64_t Fold(const SubNode*, int64_t a, int64_t b) { return static_cast<int64_t>(U(a) - U(b)); }
int64_t Fold(const MulNode*, int64_t a, int64_t b) { return static_cast<int64_t>(U(a) * U(b)); }
int64_t Fold(const DivNode*, int64_t a, int64_t b) { return a / b; }
int64_t Fold(const ModNode*, int64_t a, int64_t b) { return a % b; }
int64_t Fold(const FloorDivNode*, int64_t a, int64_t b) { return FloorDivInt(a, b); }
int64_t Fold(const FloorModNode*, int64_t a, int64_t b) { return a - FloorDivInt(a, b) * b; }
int64_t Fold(const MinNode*, int64_t a, int64_t b) { return std::min(a, b); }
int64_t Fold(const MaxNode*, int64_t a, int64_t b) { return std::max(a, b); }
int64_t Fold(const EQNode*, int64_t a, int64_t b) { return a == b; }
int64_t Fold(const NENode*, int64_t a, int64_t b) { return a != b; }
int64_t Fold(const LTNode*, int64_t a, int64_t b) { return a < b; }
int64_t Fold(const LENode*, int64_t a, int64_t b) { return a <= b; }
int64_t Fold(const GTNode*, int64_t a, int64_t b) { return a > b; }
int64_t Fold(const GENode*, int64_t a, int64_t b) { return a >= b; }
int64_t Fold(const AndNode*, int64_t a, int64_t b) { return a != 0 && b != 0; }
int64_t Fold(const OrNode*, int64_t a, int64_t b) { return a != 0 || b != 0; }

template <class Node>
constexpr bool kDivides = std::is_same_v<Node, DivNode> || std::is_same_v<Node, ModNode> ||
                          std::is_same_v<Node, FloorDivNode> || std::is_same_v<Node, FloorModNode>;

/// Whether the result of two constants is known at compile time. A division that faults is not, nor are
/// large values of uint64, which int64 does not have.
template <class Node>
bool CanFold(DType dtype, int64_t a, int64_t b) {
  if (IsUInt(dtype) && dtype.bits == 64 && (a < 0 || b < 0)) return false;
  if constexpr (kDivides<Node>) return b != 0 && !(b == -1 && a == MinOf(kInt64));
  return true;
}

/// The float results that are the same in every rounding: only those of one operation.
template <class Node>
std::optional<double> FoldFloat(double a, double b) {
  if constexpr (std::is_same_v<Node, AddNode>) return a + b;
  if constexpr (std::is_same_v<Node, SubNode>) return a - b;
  if constexpr (std::is_same_v<Node, MulNode>) return a * b;
  if constexpr (std::is_same_v<Node, DivNode>) return a / b;
  return std::nullopt;
}

/// Rules for one constant operand of an integer operation: x + 0, x * 1 ...
template <class Node>
std::optional<PrimExpr> Neutral(const PrimExpr& a, const PrimExpr& b) {
  const std::optional<int64_t> x = AsInt(a), y = AsInt(b);
  if constexpr (std::is_same_v<Node, AddNode>) {
    if (x == 0) return b;
    if (y == 0) return a;
  } else if constexpr (std::is_same_v<Node, SubNode>) {
    if (y == 0) return a;
  } else if constexpr (std::is_same_v<Node, MulNode>) {
    if (x == 1 || y == 0) return b;
    if (y == 1 || x == 0) return a;
  } else if constexpr (std::is_same_v<Node, DivNode> || std::is_same_v<Node, FloorDivNode>) {
    if (y == 1) return a;
  } else if constexpr (std::is_same_v<Node, ModNode> || std::is_same_v<Node, FloorModNode>) {
    if (y == 1) return Broadcast(IntConst(0, ElementOf(a->dtype)), a->dtype.lanes);
  } else if constexpr (std::is_same_v<Node, AndNode>) {
    if (x == 1 || y == 0) return b;
    if (y == 1 || x == 0) return a;
  } else if constexpr (std::is_same_v<Node, OrNode>) {
    if (x == 0 || y == 1) return b;
    if (y == 0 || x == 1) return a;
  }
  return std::nullopt;
}

template <class Node>
PrimExpr Promoted(const char* op, ExprArg a, ExprArg b, bool bools_count = true) {
  Match(op, &a, &b);
  if (bools_count && IsBool(a.expr->dtype)) {  // arithmetic of bools is that of integers
    const DType dtype = WithLanes(kInt32, a.expr->dtype.lanes);
    return MakeBinary<Node>(CastTo(a.expr, dtype), CastTo(b.expr, dtype));
  }
  return MakeBinary<Node>(a.expr, b.expr);
}

void CheckBools(const char* op, const ExprArg& a) {
  if (IsBool(a.expr->dtype)) return;
  TAIN_THROW(TypeError) << op << ": expected a bool expression, got " << Text(a.expr->dtype)
                        << "; compare it, as in x != 0";
}

void CheckIntegers(const char* op, const ExprArg& a, const ExprArg& b) {
  if (!IsFloat(a.expr->dtype) && !IsFloat(b.expr->dtype)) return;
  TAIN_THROW(TypeError) << op << ": expected integers, got " << Text(a.expr->dtype) << " and "
                        << Text(b.expr->dtype);
}

template <class Node>
PrimExpr Logic(const char* op, ExprArg a, ExprArg b) {
  CheckBools(op, a);
  CheckBools(op, b);
  Match(op, &a, &b);
  return MakeBinary<Node>(a.expr, b.expr);
}

}  // namespace

// ---------------------------------------------------------------- constants

PrimExpr IntConst(int64_t value, DType dtype) { return New<IntImmNode>(dtype, Wrap(value, dtype)); }

PrimExpr Const(double value, DType dtype) {
  const DType element = ElementOf(dtype);
  if (IsFloat(element)) {
    // The constant is what the type keeps of the number.
    const double kept = element.bits == 32 ? static_cast<double>(static_cast<float>(value)) : value;
    return Broadcast(New<FloatImmNode>(element, kept), dtype.lanes);
  }
  if (!IsNumber(element)) {
    TAIN_THROW(TypeError) << "const: expected a type of numbers, got " << Text(dtype);
  }
  if (value != std::trunc(value) || value < static_cast<double>(MinOf(element)) ||
      value > static_cast<double>(MaxOf(element)) || value >= 0x1p63) {
    TAIN_THROW(OverflowError) << "const: " << value << " is no value of " << Text(element);
  }
  return Broadcast(IntConst(static_cast<int64_t>(value), element), dtype.lanes);
}

PrimExpr BoolConst(bool value, int lanes) { return Broadcast(IntConst(value, kBool), lanes); }

std::optional<int64_t> AsInt(const PrimExpr& e) {
  if (const auto* imm = e.as<IntImmNode>()) return imm->value;
  if (const auto* all = e.as<BroadcastNode>()) return AsInt(all->value);
  return std::nullopt;
}

std::optional<double> AsNumber(const PrimExpr& e) {
  if (const auto* imm = e.as<FloatImmNode>()) return imm->value;
  if (const auto* all = e.as<BroadcastNode>()) return AsNumber(all->value);
  if (const std::optional<int64_t> value = AsInt(e)) return static_cast<double>(*value);
  return std::nullopt;
}

bool IsConstInt(const PrimExpr& e, int64_t value) { return AsInt(e) == value; }

// ---------------------------------------------------------------- operators

PrimExpr LiteralAs(const char* op, const ExprArg& e, DType like) {
  return e.is_literal ? Literal(op, e.expr, like) : e.expr;
}

void Match(const char* op, ExprArg* a, ExprArg* b) {
  if (a->expr->dtype == b->expr->dtype && !a->is_literal && !b->is_literal) return;
  if (a->is_literal && !b->is_literal) a->expr = Literal(op, a->expr, b->expr->dtype);
  if (b->is_literal && !a->is_literal) b->expr = Literal(op, b->expr, a->expr->dtype);
  const std::optional<DType> common = CommonType(a->expr->dtype, b->expr->dtype);
  if (!common) ThrowTypes(op, *a, *b);
  a->expr = ToType(a->expr, *common);
  b->expr = ToType(b->expr, *common);
}

template <class Node>
PrimExpr MakeBinary(const PrimExpr& a, const PrimExpr& b, const BinaryNode* same) {
  const DType dtype = a->dtype;
  if (!IsFloat(dtype)) {
    const std::optional<int64_t> x = AsInt(a), y = AsInt(b);
    if (x && y && CanFold<Node>(ElementOf(dtype), *x, *y)) {
      const int64_t value = Fold(static_cast<const Node*>(nullptr), *x, *y);
      constexpr bool kIsBool = !std::is_base_of_v<ArithmeticNode, Node>;
      return Broadcast(IntConst(value, kIsBool ? kBool : ElementOf(dtype)), dtype.lanes);
    }
    if (x || y) {
      if (std::optional<PrimExpr> simpler = Neutral<Node>(a, b)) return *std::move(simpler);
    }
  } else if (dtype.bits >= 32) {
    const auto* x = a.as<FloatImmNode>();
    const auto* y = b.as<FloatImmNode>();
    if (x != nullptr && y != nullptr) {
      if (std::optional<double> value = FoldFloat<Node>(x->value, y->value))
        return Const(*value, dtype);
    }
  }
  if (same != nullptr && same->a.same_as(a) && same->b.same_as(b))
    return tain::GetRef<PrimExpr>(same);
  return New<Node>(a, b);
}

PrimExpr RemakeBinary(const BinaryNode& like, const PrimExpr& a, const PrimExpr& b) {
  const PrimExpr self = tain::GetRef<PrimExpr>(&like);
  std::optional<PrimExpr> made;
  const auto try_class = [&]<class Node>(const Node*) {
    if (!made && self.as<Node>() != nullptr) made = MakeBinary<Node>(a, b, &like);
  };
  const auto try_all = [&]<class... Nodes>(const Nodes*... none) { (try_class(none), ...); };
  const auto none = []<class Node>() { return static_cast<const Node*>(nullptr); };
  try_all(none.template operator()<AddNode>(), none.template operator()<SubNode>(),
          none.template operator()<MulNode>(), none.template operator()<DivNode>(),
          none.template operator()<ModNode>(), none.template operator()<FloorDivNode>(),
          none.template operator()<FloorModNode>(), none.template operator()<MinNode>(),
          none.template operator()<MaxNode>(), none.template operator()<EQNode>(),
          none.template operator()<NENode>(), none.template operator()<LTNode>(),
          none.template operator()<LENode>(), none.template operator()<GTNode>(),
          none.template operator()<GENode>(), none.template operator()<AndNode>(),
          none.template operator()<OrNode>());
  if (!made) TAIN_THROW(InternalError) << "an unknown operator";
  return *std::move(made);
}

PrimExpr Add(const ExprArg& a, const ExprArg& b) { return Promoted<AddNode>("+", a, b); }
PrimExpr Sub(const ExprArg& a, const ExprArg& b) { return Promoted<SubNode>("-", a, b); }
PrimExpr Mul(const ExprArg& a, const ExprArg& b) { return Promoted<MulNode>("*", a, b); }

PrimExpr Div(const ExprArg& a, const ExprArg& b) {
  ExprArg x = a, y = b;
  Match("/", &x, &y);
  if (!IsFloat(x.expr->dtype)) {
    TAIN_THROW(TypeError)
        << "/: the quotient of " << Text(x.expr->dtype)
        << " is not an integer; write // for the floor, tir.truncdiv(a, b) for the "
           "quotient of C, or convert the operands with astype('float32')";
  }
  return MakeBinary<DivNode>(x.expr, y.expr);
}

PrimExpr TruncDiv(const ExprArg& a, const ExprArg& b) {
  CheckIntegers("truncdiv", a, b);
  return Promoted<DivNode>("truncdiv", a, b);
}
PrimExpr TruncMod(const ExprArg& a, const ExprArg& b) {
  CheckIntegers("truncmod", a, b);
  return Promoted<ModNode>("truncmod", a, b);
}
PrimExpr FloorDiv(const ExprArg& a, const ExprArg& b) { return Promoted<FloorDivNode>("//", a, b); }
PrimExpr FloorMod(const ExprArg& a, const ExprArg& b) { return Promoted<FloorModNode>("%", a, b); }
PrimExpr Min(const ExprArg& a, const ExprArg& b) { return Promoted<MinNode>("min", a, b, false); }
PrimExpr Max(const ExprArg& a, const ExprArg& b) { return Promoted<MaxNode>("max", a, b, false); }
PrimExpr EQ(const ExprArg& a, const ExprArg& b) { return Promoted<EQNode>("==", a, b, false); }
PrimExpr NE(const ExprArg& a, const ExprArg& b) { return Promoted<NENode>("!=", a, b, false); }
PrimExpr LT(const ExprArg& a, const ExprArg& b) { return Promoted<LTNode>("<", a, b, false); }
PrimExpr LE(const ExprArg& a, const ExprArg& b) { return Promoted<LENode>("<=", a, b, false); }
PrimExpr GT(const ExprArg& a, const ExprArg& b) { return Promoted<GTNode>(">", a, b, false); }
PrimExpr GE(const ExprArg& a, const ExprArg& b) { return Promoted<GENode>(">=", a, b, false); }
PrimExpr And(const ExprArg& a, const ExprArg& b) { return Logic<AndNode>("And", a, b); }
PrimExpr Or(const ExprArg& a, const ExprArg& b) { return Logic<OrNode>("Or", a, b); }

PrimExpr Not(const ExprArg& a) {
  CheckBools("Not", a);
  if (const std::optional<int64_t> value = AsInt(a.expr)) {
    return BoolConst(*value == 0, a.expr->dtype.lanes);
  }
  if (const auto* inner = a.expr.as<NotNode>()) return inner->a;
  return New<NotNode>(a.expr);
}

PrimExpr Neg(const ExprArg& a) {
  // 0 - x is no negation of a float: -0.0 is another number.
  if (IsFloat(a.expr->dtype)) return Mul(a, ExprArg(Const(-1, a.expr->dtype)));
  return Sub(ExprArg(IntConst(0, kInt32), true), a);
}

PrimExpr Select(const ExprArg& condition, const ExprArg& if_true, const ExprArg& if_false) {
  CheckBools("Select", condition);
  ExprArg x = if_true, y = if_false;
  Match("Select", &x, &y);
  if (const std::optional<int64_t> value = AsInt(condition.expr))
    return *value != 0 ? x.expr : y.expr;
  const int lanes = std::max<int>(condition.expr->dtype.lanes, x.expr->dtype.lanes);
  return New<SelectNode>(Broadcast(condition.expr, lanes), Broadcast(x.expr, lanes),
                         Broadcast(y.expr, lanes));
}

PrimExpr Bitwise(const char* op, const ExprArg& a, const ExprArg& b) {
  ExprArg x = a, y = b;
  Match(op, &x, &y);
  if (!IsInteger(x.expr->dtype)) {
    TAIN_THROW(TypeError) << op << ": expected integers, got " << Text(a.expr->dtype) << " and "
                          << Text(b.expr->dtype);
  }
  Exprs args;
  args.push_back(x.expr);
  args.push_back(y.expr);
  return New<CallNode>(x.expr->dtype, tain::String(op), args);
}

PrimExpr BitwiseNot(const ExprArg& a) {
  return Bitwise("bitwise_xor", a, ExprArg(IntConst(-1, ElementOf(a.expr->dtype))));
}

PrimExpr CastTo(const PrimExpr& value, DType dtype) {
  if (dtype.lanes == 1 && value->dtype.lanes != 1)
    return CastTo(value, WithLanes(dtype, value->dtype.lanes));
  if (value->dtype == dtype) return value;
  if (!IsNumber(dtype) || !IsNumber(value->dtype)) {
    TAIN_THROW(TypeError) << "astype: no conversion of " << Text(value->dtype) << " to "
                          << Text(dtype);
  }
  if (dtype.lanes != value->dtype.lanes)
    return Broadcast(CastTo(value, ElementOf(dtype)), dtype.lanes);
  const DType from = ElementOf(value->dtype), to = ElementOf(dtype);
  if (const std::optional<int64_t> i = AsInt(value); i && !(IsUInt(from) && from.bits == 64)) {
    if (!IsFloat(to)) return Broadcast(IntConst(*i, to), dtype.lanes);
    return Const(static_cast<double>(*i), dtype);
  }
  if (const auto* f = value.as<FloatImmNode>(); f != nullptr && IsFloat(to))
    return Const(f->value, dtype);
  return New<CastNode>(dtype, value);
}

PrimExpr Broadcast(const PrimExpr& value, int64_t lanes) {
  if (lanes == 1 || value->dtype.lanes == lanes) return value;
  if (value->dtype.lanes != 1 || lanes < 1 || lanes > 65535) {
    TAIN_THROW(TypeError) << "Broadcast: expected one element and 1 to 65535 lanes, got "
                          << Text(value->dtype) << " and " << lanes;
  }
  return New<BroadcastNode>(value, lanes);
}

PrimExpr Ramp(const PrimExpr& base, const PrimExpr& stride, int64_t lanes) {
  if (base->dtype.lanes != 1 || stride->dtype != base->dtype || lanes < 1 || lanes > 65535) {
    TAIN_THROW(TypeError)
        << "Ramp: expected base and stride of one type without lanes, and 1 to 65535 "
        << "lanes; got " << Text(base->dtype) << ", " << Text(stride->dtype) << " and " << lanes;
  }
  if (lanes == 1) return base;
  return New<RampNode>(base, stride, lanes);
}

void CheckArity(std::string_view op, size_t given) {
  const Intrinsic* known = FindIntrinsic(op);
  if (known == nullptr || known->arity == given) return;
  TAIN_THROW(ValueError) << "Call: " << op << " takes " << known->arity
                         << (known->arity == 1 ? " argument" : " arguments") << ", got " << given;
}

PrimExpr Math(const std::string& op, const std::vector<ExprArg>& args) {
  ExprArg first = args.at(0);
  Exprs all;
  if (args.size() == 2) {
    ExprArg second = args[1];
    Match(op.c_str(), &first, &second);
    all.push_back(second.expr);
  }
  const DType dtype = first.expr->dtype;
  const bool any_number = FindIntrinsic(op)->kind == Intrinsic::kNumber;
  if (!IsFloat(dtype) && !(any_number && IsInteger(dtype))) {
    if (first.is_literal) {
      return Math(op, {ExprArg(CastTo(first.expr, kFloat32))});
    }
    TAIN_THROW(TypeError) << op << ": expected a float, got " << Text(dtype)
                          << "; convert it with astype('float32')";
  }
  Exprs ordered;
  ordered.push_back(first.expr);
  for (const PrimExpr& one : all) ordered.push_back(one);
  return New<CallNode>(dtype, tain::String(op), ordered);
}

}  // namespace tensorexpr

std::optional<tensorexpr::ExprArg> tain::TypeTraits<tensorexpr::ExprArg>::from_any(
    const tain::AnyView& a) {
  using namespace tensorexpr;  // NOLINT: the names of the package
  if (const auto* expr = a.as<PrimExprNode>()) return ExprArg(tain::GetRef<PrimExpr>(expr));
  if (const auto* other = a.as<ExprConvertibleNode>()) return ExprArg(other->AsExpr());
  if (const std::optional<bool> value = a.as<bool>()) return ExprArg(BoolConst(*value), true);
  if (const std::optional<int64_t> value = a.as<int64_t>()) {
    const bool is_small = *value >= MinOf(kInt32) && *value <= MaxOf(kInt32);
    return ExprArg(IntConst(*value, is_small ? kInt32 : kInt64), true);
  }
  if (const std::optional<double> value = a.as<double>()) {
    return ExprArg(PrimExpr(tain::make_object<FloatImmNode>(kFloat32, *value)), true);
  }
  if (std::optional<tain::String> text = a.try_cast<tain::String>()) {
    return ExprArg(PrimExpr(tain::make_object<StringImmNode>(*std::move(text))), true);
  }
  return std::nullopt;
}
