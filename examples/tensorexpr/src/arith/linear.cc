// SPDX-License-Identifier: Apache-2.0
// Sums of terms; see linear.h.
#include "linear.h"

#include <algorithm>

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
    sum->constant = Plus(sum->constant, Times(*value, factor));
    return sum->constant <= kLargest && sum->constant >= -kLargest;
  }
  const auto* binary = e.as<BinaryNode>();
  if (binary != nullptr && IsLinear(*binary)) {
    const auto [a, b] = FactorsOf(*binary);
    const auto is_small = [](int64_t f) { return f <= kLargest && f >= -kLargest; };
    if (is_small(a) && is_small(b)) {
      return (a == 0 || Collect(binary->a, Times(factor, a), sum, depth + 1)) &&
             (b == 0 || Collect(binary->b, Times(factor, b), sum, depth + 1));
    }
  }
  sum->Add(e, factor);
  return sum->parts.size() <= kMostTerms;
}

}  // namespace

bool IsLinear(const BinaryNode& e) {
  const tain::AnyView self(&e);
  if (self.as<AddNode>() != nullptr || self.as<SubNode>() != nullptr) return true;
  return self.as<MulNode>() != nullptr && (AsInt(e.a) || AsInt(e.b));
}

std::pair<int64_t, int64_t> FactorsOf(const BinaryNode& e) {
  const tain::AnyView self(&e);
  if (self.as<MulNode>() == nullptr) return {1, self.as<SubNode>() != nullptr ? -1 : 1};
  if (const std::optional<int64_t> b = AsInt(e.b)) return {*b, 0};
  return {0, *AsInt(e.a)};
}

void Linear::Add(const PrimExpr& term, int64_t factor) {
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool is_same = IsSame(parts[i].term, term);
    if (!is_same) continue;
    parts[i].factor = Plus(parts[i].factor, factor);
    if (parts[i].factor == 0) parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
  if (factor != 0) parts.push_back({term, factor});
}

void Linear::AddAll(const Linear& other, int64_t factor) {
  for (const Part& part : other.parts) Add(part.term, Times(part.factor, factor));
  constant = Plus(constant, Times(other.constant, factor));
}

void Linear::JoinRemainders() {
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto* mod = parts[i].term.as<FloorModNode>();
    const std::optional<int64_t> c = mod == nullptr ? std::nullopt : AsInt(mod->b);
    if (!c) continue;
    for (size_t j = 0; j < parts.size(); ++j) {
      const auto* div = parts[j].term.as<FloorDivNode>();
      if (div == nullptr || AsInt(div->b) != c || parts[j].factor != Times(parts[i].factor, *c))
        continue;
      if (!IsSame(div->a, mod->a)) continue;
      const std::optional<Linear> whole = LinearOf(mod->a);
      if (!whole) continue;
      const int64_t factor = parts[i].factor;
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
      AddAll(*whole, factor);
      return JoinRemainders();
    }
  }
}

void Linear::Wrap(int bits) {
  const auto wrap = [unused = 64 - bits](int64_t& value) {
    value = static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
  };
  wrap(constant);
  for (Part& part : parts) wrap(part.factor);
  std::erase_if(parts, [](const Part& part) { return part.factor == 0; });
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

PrimExpr ExprOf(const Linear& sum, DType dtype, std::optional<PrimExpr> result) {
  // What is added comes first, so that nothing begins with a minus.
  const auto is_subtracted = [least = MinOf(dtype)](int64_t value) {
    return value < 0 && value != least;  // which has no opposite
  };
  for (const Linear::Part& part : sum.parts) {
    if (is_subtracted(part.factor)) continue;
    const PrimExpr term = Mul(part.term, IntConst(part.factor, dtype));
    result = result ? Add(*result, term) : term;
  }
  const bool ends_with_constant = is_subtracted(sum.constant);
  if (!ends_with_constant && (sum.constant != 0 || (!result && sum.parts.empty()))) {
    const PrimExpr constant = IntConst(sum.constant, dtype);
    result = result ? Add(*result, constant) : constant;
  }
  for (const Linear::Part& part : sum.parts) {
    if (!is_subtracted(part.factor)) continue;
    const PrimExpr term = Mul(part.term, IntConst(-part.factor, dtype));
    result = Sub(result ? *result : IntConst(0, dtype), term);
  }
  if (!ends_with_constant) return *result;
  return result ? Sub(*result, IntConst(-sum.constant, dtype)) : IntConst(sum.constant, dtype);
}

}  // namespace tensorexpr
