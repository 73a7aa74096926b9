// SPDX-License-Identifier: Apache-2.0
// The fields and attributes of a type, as the binary contract has them.
#pragma once

#include <string_view>

#include "tain/any.h"
#include "tain/base.h"
#include "tain/c_api.h"
#include "tain/error.h"

namespace tain::compat {

inline std::string_view TextOf(const TainByteArray& bytes) noexcept {
  return {bytes.data, bytes.size};
}

/// Calls `use` with each field of a type, those of the parents first.
template <class F>
void ForEachField(int32_t type_index, const F& use) {
  const TainTypeInfo* info = TainGetTypeInfo(type_index);
  const auto each = [&](const TainTypeInfo* type) {
    for (int32_t i = 0; i < type->num_fields; ++i) use(type->fields[i]);
  };
  for (int32_t i = 0; i < info->type_depth; ++i) each(info->type_ancestors[i]);
  each(info);
}

/// Returns the value of a field of an object.
inline Any ValueOf(const TainFieldInfo& field, TainObject* object) {
  TainAny value{};
  internal::ThrowIfFailed(field.getter(reinterpret_cast<char*>(object) + field.offset, &value));
  return Any::Steal(value);
}

/// Writes a field of an object, of a read-only one too.
void SetValue(const TainFieldInfo& field, TainObject* object, const TainAny& value);
/// Returns an attribute of a type itself, without its parents; None if there is none.
Any TypeAttr(int32_t type_index, std::string_view name);
/// Returns the key of a type.
inline std::string_view KeyOf(int32_t type_index) noexcept {
  return TextOf(TainGetTypeInfo(type_index)->type_key);
}

}  // namespace tain::compat
