// SPDX-License-Identifier: Apache-2.0
// The operations that a Call names and that code is made of, apart from calls of other functions.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace tensorexpr {

struct Intrinsic {
  std::string_view name;
  size_t arity;
  /// The function of C for float64 (that of float32 ends with f), or the operator of C, or the beginning of
  /// the helper's name in c_prelude.h; empty for what is written by other operations.
  const char* c;
  enum Kind { kFloat, kNumber, kBits, kChoice } kind;
};

inline constexpr Intrinsic kIntrinsics[] = {
    {"exp", 1, "exp", Intrinsic::kFloat},
    {"exp2", 1, "exp2", Intrinsic::kFloat},
    {"log", 1, "log", Intrinsic::kFloat},
    {"log2", 1, "log2", Intrinsic::kFloat},
    {"log10", 1, "log10", Intrinsic::kFloat},
    {"log1p", 1, "log1p", Intrinsic::kFloat},
    {"sqrt", 1, "sqrt", Intrinsic::kFloat},
    {"rsqrt", 1, "", Intrinsic::kFloat},
    {"sigmoid", 1, "", Intrinsic::kFloat},
    {"erf", 1, "erf", Intrinsic::kFloat},
    {"sin", 1, "sin", Intrinsic::kFloat},
    {"cos", 1, "cos", Intrinsic::kFloat},
    {"tan", 1, "tan", Intrinsic::kFloat},
    {"asin", 1, "asin", Intrinsic::kFloat},
    {"acos", 1, "acos", Intrinsic::kFloat},
    {"atan", 1, "atan", Intrinsic::kFloat},
    {"sinh", 1, "sinh", Intrinsic::kFloat},
    {"cosh", 1, "cosh", Intrinsic::kFloat},
    {"tanh", 1, "tanh", Intrinsic::kFloat},
    {"asinh", 1, "asinh", Intrinsic::kFloat},
    {"acosh", 1, "acosh", Intrinsic::kFloat},
    {"atanh", 1, "atanh", Intrinsic::kFloat},
    {"floor", 1, "floor", Intrinsic::kFloat},
    {"ceil", 1, "ceil", Intrinsic::kFloat},
    {"round", 1, "rint", Intrinsic::kFloat},
    {"trunc", 1, "trunc", Intrinsic::kFloat},
    {"atan2", 2, "atan2", Intrinsic::kFloat},
    {"fmod", 2, "fmod", Intrinsic::kFloat},
    {"hypot", 2, "hypot", Intrinsic::kFloat},
    {"copysign", 2, "copysign", Intrinsic::kFloat},
    {"abs", 1, "fabs", Intrinsic::kNumber},
    {"pow", 2, "pow", Intrinsic::kNumber},
    {"bitwise_and", 2, "&", Intrinsic::kBits},
    {"bitwise_or", 2, "|", Intrinsic::kBits},
    {"bitwise_xor", 2, "^", Intrinsic::kBits},
    {"shift_left", 2, "te_shl_", Intrinsic::kBits},
    {"shift_right", 2, "te_shr_", Intrinsic::kBits},
    {"if_then_else", 3, "", Intrinsic::kChoice},
};

/// Returns the operation of a name, or null.
inline const Intrinsic* FindIntrinsic(std::string_view name) {
  const auto* found = std::find_if(std::begin(kIntrinsics), std::end(kIntrinsics),
                                   [&](const Intrinsic& one) { return one.name == name; });
  return found == std::end(kIntrinsics) ? nullptr : found;
}

}  // namespace tensorexpr
