// SPDX-License-Identifier: Apache-2.0
// Integer expressions as sums of multiples of terms.
#pragma once

#include <utility>
#include <vector>

#include "../tir/ops.h"

namespace tensorexpr {

/// Whether an expression is an integer of the kind that counts and indices are.
inline bool IsIndex(const PrimExpr& e) {
  return IsInt(e->dtype) && e->dtype.lanes == 1 && e->dtype.bits >= 32;
}
/// Whether a node is a sum, a difference, or a product with a constant.
TAIN_DLL_EXPORT bool IsLinear(const BinaryNode& e);
/// Returns the factors of the operands a and b of such a node.
TAIN_DLL_EXPORT std::pair<int64_t, int64_t> FactorsOf(const BinaryNode& e);

/// Integers wrap around, as they do in the generated code.
inline int64_t Plus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
inline int64_t Times(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

/// constant + factor * term + ...; no two terms are equal, and none is a sum.
struct TAIN_DLL_EXPORT Linear {
  struct Part {
    PrimExpr term;
    int64_t factor;
  };
  std::vector<Part> parts;
  int64_t constant = 0;
  int visited = 0;  ///< while the sum is collected

  void Add(const PrimExpr& term, int64_t factor);
  void AddAll(const Linear& other, int64_t factor);
  /// (x // c) * c + x % c is x.
  void JoinRemainders();
  /// Takes constant and factors for what they are in an integer type of some bits, at most 64.
  void Wrap(int bits);
  /// Splits into the part whose factors are multiples of a number, and the rest.
  void Split(int64_t divisor, Linear* multiples, Linear* rest) const;
};

/// Returns the sum that an integer expression is. Nothing if a factor is too large, or if
/// there are too many terms.
TAIN_DLL_EXPORT std::optional<Linear> LinearOf(const PrimExpr& e);
TAIN_DLL_EXPORT  /// Returns the expression of a sum, added to another one if that is given.
    PrimExpr
    ExprOf(const Linear& sum, DType dtype, std::optional<PrimExpr> result = std::nullopt);

}  // namespace tensorexpr
