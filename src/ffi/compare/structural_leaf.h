// SPDX-License-Identifier: Apache-2.0
// Equality and hash of values without parts, as structural operations define them.
//
// Values are equal if they are of the same kind and have the same content: 1, 1.0 and True differ.
// All NaN are equal, 0.0 and -0.0 differ. Tensors are equal if type, shape and all bits of the
// elements are. What has no content that tain can read (functions, opaque values, pointers) goes by
// identity. Hashes depend on contents only, except of what goes by identity.
#pragma once

#include <bit>
#include <string_view>

#include "tain/any.h"
#include "tain/internal/container_api.h"

namespace tain::internal {

/// Combines a hash with another one; the order matters.
inline uint64_t StableMix(uint64_t hash, uint64_t value) noexcept {
  hash = ((std::rotl(hash, 27) + 0x632be59bd9b4e019u) ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}
/// Returns the hash of bytes, the same on all machines.
uint64_t StableTextHash(std::string_view text) noexcept;
/// Returns the hash of the number that a field of a TainFieldKind has.
inline uint64_t StableIntHash(int64_t value) noexcept {
  return StableMix(kTainInt, static_cast<uint64_t>(value));
}
uint64_t StableFloatHash(double value) noexcept;

inline bool FloatsSame(double a, double b) noexcept {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b) || (a != a && b != b);
}

/// Whether tensors of one shape and type differ if their elements do.
enum class TensorContent : bool { kCounts, kSkipped };

/// Whether two values without parts are equal. Throws TypeError for a tensor whose content counts, and
/// that the processor cannot read.
bool LeavesEqual(const TainAny& a, const TainAny& b,
                 TensorContent content = TensorContent::kCounts);
/// Returns the hash of a value without parts. Throws as LeavesEqual.
uint64_t LeafHash(const TainAny& value, TensorContent content = TensorContent::kCounts);

}  // namespace tain::internal
