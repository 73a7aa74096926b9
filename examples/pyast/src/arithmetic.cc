// SPDX-License-Identifier: Apache-2.0
// Arithmetic as Python defines it; see arithmetic.h.
#include "arithmetic.h"

#include <cmath>
#include <limits>

namespace pyast {
namespace {

using Int = std::optional<int64_t>;

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMaxBits = 128;                // MAX_INT_SIZE of CPython's ast_opt.c
constexpr int64_t kMaxExact = int64_t{1} << 53;  // below, every integer is a double

Int Add(int64_t a, int64_t b) {
  if (b > 0 ? a > kMax - b : a < kMin - b) return std::nullopt;
  return a + b;
}

Int Subtract(int64_t a, int64_t b) {
  if (b > 0 ? a < kMin + b : a > kMax + b) return std::nullopt;
  return a - b;
}

Int Multiply(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  if ((a == -1 && b == kMin) || (b == -1 && a == kMin)) return std::nullopt;
  const auto product = static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  if (product / b != a) return std::nullopt;
  return product;
}

/// Rounds towards minus infinity.
Int FloorDivide(int64_t a, int64_t b) {
  if (b == 0 || (a == kMin && b == -1)) return std::nullopt;
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// Has the sign of the divisor.
Int Modulo(int64_t a, int64_t b) {
  if (b == 0) return std::nullopt;
  if (b == -1) return 0;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Int Power(int64_t base, int64_t exponent) {
  if (exponent < 0) return std::nullopt;
  if (base != 0 && exponent > 0 && BitLength(base) > kMaxBits / exponent) return std::nullopt;
  if (base == 0) return exponent == 0 ? 1 : 0;
  Int result = 1;  // at most 128 rounds
  for (; exponent > 0 && result; --exponent) result = Multiply(*result, base);
  return result;
}

Int ShiftLeft(int64_t a, int64_t bits) {
  if (bits < 0) return std::nullopt;
  if (a == 0 || bits == 0) return a;
  if (BitLength(a) + bits > 63) return std::nullopt;
  return static_cast<int64_t>(static_cast<uint64_t>(a) << bits);
}

Int ShiftRight(int64_t a, int64_t bits) {
  if (bits < 0) return std::nullopt;
  if (bits > 63) bits = 63;
  return a >= 0 ? a >> bits : ~(~a >> bits);
}

std::optional<Any> Boxed(Int value) {
  if (!value) return std::nullopt;
  return Any(*value);
}

/// The rest of a division, with the sign of the divisor, also where it is zero.
double FloatModulo(double a, double b) {
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (b < 0) != (rest < 0) ? rest + b : rest;
}

double FloatFloorDivide(double a, double b) {
  const double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double floor = std::floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

}  // namespace

int BitLength(int64_t value) {
  uint64_t magnitude = value < 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
  int bits = 0;
  for (; magnitude != 0; magnitude >>= 1) ++bits;
  return bits;
}

std::optional<Any> IntBinary(Operator op, int64_t left, int64_t right) {
  switch (op) {
    case Operator::kAdd: return Boxed(Add(left, right));
    case Operator::kSub: return Boxed(Subtract(left, right));
    case Operator::kMult: return Boxed(Multiply(left, right));
    case Operator::kFloorDiv: return Boxed(FloorDivide(left, right));
    case Operator::kMod: return Boxed(Modulo(left, right));
    case Operator::kPow: return Boxed(Power(left, right));
    case Operator::kLShift: return Boxed(ShiftLeft(left, right));
    case Operator::kRShift: return Boxed(ShiftRight(left, right));
    case Operator::kBitOr: return Any(left | right);
    case Operator::kBitXor: return Any(left ^ right);
    case Operator::kBitAnd: return Any(left & right);
    case Operator::kDiv: {
      const bool exact =
          left >= -kMaxExact && left <= kMaxExact && right >= -kMaxExact && right <= kMaxExact;
      if (right == 0 || !exact) return std::nullopt;
      return Any(static_cast<double>(left) / static_cast<double>(right));
    }
    case Operator::kMatMult: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> FloatBinary(Operator op, double left, double right) {
  switch (op) {
    case Operator::kAdd: return left + right;
    case Operator::kSub: return left - right;
    case Operator::kMult: return left * right;
    case Operator::kDiv:
      if (right == 0) return std::nullopt;
      return left / right;
    case Operator::kFloorDiv:
      if (right == 0) return std::nullopt;
      return FloatFloorDivide(left, right);
    case Operator::kMod:
      if (right == 0) return std::nullopt;
      return FloatModulo(left, right);
    case Operator::kPow: {
      // Others are complex, raise, or are special cases of the standard.
      if (!(left > 0) || !std::isfinite(left) || !std::isfinite(right)) return std::nullopt;
      const double power = std::pow(left, right);
      if (!std::isfinite(power)) return std::nullopt;
      return power;
    }
    default: return std::nullopt;
  }
}

}  // namespace pyast
