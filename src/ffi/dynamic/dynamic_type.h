// SPDX-License-Identifier: Apache-2.0
// Types that are laid out at run time: the memory of a compiled type, then that of described
// fields.
#pragma once

#include <vector>

#include "tain/any.h"

namespace tain::internal {

/// Memory of a described field.
struct DynamicSlot {
  int64_t offset;  ///< from the header
  int32_t kind;    ///< TainFieldKind
};

/// What TainTypeRecord::layout points to; lives for ever.
struct DynamicLayout {
  const TainTypeRecord* base = nullptr;  ///< the nearest compiled type; null: Object itself
  int64_t base_size = sizeof(TainObject);
  std::vector<DynamicSlot> slots;  ///< those of the parents first
};

/// The layout of a type that is laid out at run time, else null.
inline const DynamicLayout* LayoutOf(const TainTypeRecord& record) noexcept {
  return static_cast<const DynamicLayout*>(record.layout);
}

/// Fills in destruction, deletion, default construction and copying, as the compiled part allows.
void DescribeLife(const DynamicLayout& layout, TainTypeDef* def) noexcept;

/// Builds the compiled part in `body` (by its constructor with these arguments if `construct` is
/// given, else by its default constructor) and empties the slots. 0, or -1 with the error raised.
int BuildBase(const TainTypeRecord& record, void* body, decltype(TainTypeDef::construct) construct,
              const TainFunctionInfo* info, const TainAny* args, int32_t num_args) noexcept;

/// All described fields, those of the parents first; a field that a child describes again stands in
/// its first place.
std::vector<const TainFieldDef*> DynamicFields(const TainTypeRecord& record);

/// Sets a field of an object through its setter; 0, or -1 with the error raised.
int SetField(const TainFieldDef& field, void* header, const TainAny& value) noexcept;
/// The default of a field that has one, made anew if it has a factory. Throws what that raises.
Any DefaultOf(const TainFieldDef& field);

}  // namespace tain::internal
