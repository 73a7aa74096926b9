// SPDX-License-Identifier: Apache-2.0
// Data types; see dtype.h.
#include "dtype.h"

#include <limits>

namespace tensorexpr {

std::string Text(DType dtype) {
  TainAny out{};
  if (TainDataTypeToString(&dtype, &out) != 0) TAIN_THROW(ValueError) << "an unknown data type";
  const tain::Any text = tain::Any::Steal(out);
  return text.cast<std::string>();
}

int64_t MinOf(DType dtype) {
  if (!IsInt(dtype)) return 0;
  return dtype.bits >= 64 ? std::numeric_limits<int64_t>::min() : -(int64_t{1} << (dtype.bits - 1));
}

int64_t MaxOf(DType dtype) {
  if (IsBool(dtype)) return 1;
  const int bits = IsInt(dtype) ? dtype.bits - 1 : dtype.bits;
  return bits >= 63 ? std::numeric_limits<int64_t>::max() : (int64_t{1} << bits) - 1;
}

int64_t Wrap(int64_t value, DType dtype) {
  if (IsBool(dtype)) return value != 0;
  if (dtype.bits >= 64) return value;
  const uint64_t mask = (uint64_t{1} << dtype.bits) - 1;
  uint64_t bits = static_cast<uint64_t>(value) & mask;
  if (IsInt(dtype) && (bits >> (dtype.bits - 1)) != 0) bits |= ~mask;
  return static_cast<int64_t>(bits);
}

}  // namespace tensorexpr
