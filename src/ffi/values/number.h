// SPDX-License-Identifier: Apache-2.0
// Numbers by value: int, bool, float and BigInt are equal and have equal hashes as in Python.
#pragma once

#include <array>

#include "tain/any.h"

namespace tain::internal {

inline bool IsNumber(const TainAny& a) noexcept {
  return a.type_index == kTainInt || a.type_index == kTainBool || a.type_index == kTainFloat ||
         a.type_index == kTainBigInt;
}

/// Whether two numbers are equal; NaN equals nothing.
bool NumbersEqual(const TainAny& a, const TainAny& b);
/// Returns the remainder modulo 2**61 - 1, with the number's sign, as Python's hash() does.
int64_t NumberHash(const TainAny& number) noexcept;

/// The numbers of other types that equal one: an int, a bool and a float, in this order. For zero
/// they include both floats.
struct SameNumbers {
  std::array<Any, 3> values;
  size_t count = 0;

  explicit SameNumbers(const TainAny& number);
  const Any* begin() const noexcept { return values.data(); }
  const Any* end() const noexcept { return values.data() + count; }
};

}  // namespace tain::internal
