// SPDX-License-Identifier: Apache-2.0
// The memory of the objects of a type that is laid out at run time.
#pragma once

#include <cstdint>
#include <vector>

#include "tain/c_api_registry.h"

namespace tain::internal {

/// The memory of a described field.
struct DynamicSlot {
  int64_t offset;  ///< from the header
  int32_t kind;    ///< TainFieldKind
};

/// The target of TainTypeRecord::layout; never freed.
struct DynamicLayout {
  const TainTypeRecord* base = nullptr;  ///< the nearest compiled type; null: Object itself
  int64_t base_size = sizeof(TainObject);
  std::vector<DynamicSlot> slots;  ///< those of the parents first
};

/// Returns the layout of a type that is laid out at run time, else null.
inline const DynamicLayout* LayoutOf(const TainTypeRecord& record) noexcept {
  return static_cast<const DynamicLayout*>(record.layout);
}

}  // namespace tain::internal
