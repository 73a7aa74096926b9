// SPDX-License-Identifier: Apache-2.0
// The argument that getters and setters of fields take.
#pragma once

#include "tain/base.h"
#include "tain/c_api_registry.h"

namespace tain::internal {

/// The argument of a field's accessors: the address of the field, or its TainFieldPlace. It must
/// live until the accessor returns.
class FieldTarget {
 public:
  FieldTarget(void* header, const TainFieldDef& field) noexcept
      : FieldTarget(header, field.info.offset, (field.access & kTainFieldPlaced) != 0) {}
  FieldTarget(void* header, int64_t offset, bool placed) noexcept
      : place_{static_cast<TainObject*>(header), offset}, placed_(placed) {}
  void* get() noexcept {
    if (TAIN_UNLIKELY(placed_)) return &place_;
    return reinterpret_cast<char*>(place_.object) + place_.offset;
  }

 private:
  TainFieldPlace place_;
  bool placed_;
};

/// Reads a field by its getter. Returns 0, or -1 with the error in the thread's slot.
inline int GetField(const TainFieldDef& field, void* header, TainAny* out) noexcept {
  return field.info.getter(FieldTarget(header, field).get(), out);
}

}  // namespace tain::internal
