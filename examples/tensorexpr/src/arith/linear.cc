// SPDX-License-Identifier: Apache-2.0
// Sums of terms; see linear.h.
#include "linear.h"

#include "tir/same.h"

namespace tensorexpr {
namespace {

constexpr int64_t kLargest = int64_t{1} << 40;  ///< factors stay far from overflow
constexpr int kDeepest = 100;                   ///< a longer sum stays as it is
constexpr size_t kMostTerms = 64;
constexpr int kMostVisits = 1000;  ///< shared parts are met again and again

bool Collect(const PrimExpr& e, int64_t factor, Linear* sum, int depth) {
  if (++sum->visited > kMostVisits || factor > kLargest || factor < -kLargest || depth > kDeepest)
    return false;
  if (const std::optional<int64_t> value = AsInt(e)) {
    if (*value > kLargest || *value < -kLargest) return false;
    sum->constant += *value * factor;
    return sum->constant <= kLargest && sum->constant >= -kLargest;
  }
  if (const auto* add = e.as<AddNode>()) {
    return Collect(add->a, factor, sum, depth + 1) && Collect(add->b, factor, sum, depth + 1);
  }
  if (const auto* sub = e.as<SubNode>()) {
    return Collect(sub->a, factor, sum, depth + 1) && Collect(sub->b, -factor, sum, depth + 1);
  }
  if (const auto* mul = e.as<MulNode>()) {
    const std::optional<int64_t> a = AsInt(mul->a), b = AsInt(mul->b);
    if (b && *b <= kLargest && *b >= -kLargest) return Collect(mul->a, factor * *b, sum, depth + 1);
    if (a && *a <= kLargest && *a >= -kLargest) return Collect(mul->b, factor * *a, sum, depth + 1);
  }
  sum->Add(e, factor);
  return sum->parts.size() <= kMostTerms;
}

}  // namespace

void Linear::Add(const PrimExpr& term, int64_t factor) {
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool is_same = IsSame(parts[i].term, term);
    if (!is_same) continue;
    parts[i].factor += factor;
    if (parts[i].factor == 0) parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
  if (factor != 0) parts.push_back({term, factor});
}

void Linear::AddAll(const Linear& other, int64_t factor) {
  for (const Part& part : other.parts) Add(part.term, part.factor * factor);
  constant += other.constant * factor;
}

void Linear::Split(int64_t divisor, Linear* multiples, Linear* rest) const {
  for (const Part& part : parts) {
    (part.factor % divisor == 0 ? multiples : rest)->parts.push_back(part);
  }
  // The rest of the constant is not negative.
  int64_t remainder = constant % divisor;
  if (remainder < 0) remainder += divisor;
  multiples->constant = constant - remainder;
  rest->constant = remainder;
}

std::optional<Linear> LinearOf(const PrimExpr& e) {
  Linear sum;
  if (!Collect(e, 1, &sum, 0)) return std::nullopt;
  return sum;
}

PrimExpr ExprOf(const Linear& sum, DType dtype) {
  std::optional<PrimExpr> result;
  // What is added comes first, so that nothing begins with a minus.
  for (const Linear::Part& part : sum.parts) {
    if (part.factor < 0) continue;
    const PrimExpr term = Mul(part.term, IntConst(part.factor, dtype));
    result = result ? Add(*result, term) : term;
  }
  if (sum.constant > 0 || (!result && sum.parts.empty())) {
    const PrimExpr constant = IntConst(sum.constant, dtype);
    result = result ? Add(*result, constant) : constant;
  }
  for (const Linear::Part& part : sum.parts) {
    if (part.factor >= 0) continue;
    const PrimExpr term = Mul(part.term, IntConst(-part.factor, dtype));
    result = Sub(result ? *result : IntConst(0, dtype), term);
  }
  if (sum.constant < 0 && !(sum.parts.empty())) {
    result = Sub(result ? *result : IntConst(0, dtype), IntConst(-sum.constant, dtype));
  } else if (sum.constant < 0) {
    result = IntConst(sum.constant, dtype);
  }
  return *result;
}

}  // namespace tensorexpr
