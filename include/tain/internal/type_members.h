// SPDX-License-Identifier: Apache-2.0
// The members of a type by name, and its fields with those of its parents.
#pragma once

#include <string_view>
#include <vector>

#include "tain/base.h"

namespace tain::internal {

/// Returns a member of a name among those of one kind that a type itself has; null if there is none.
template <class T>
const T* FindNamed(const T* const* members, int32_t count, std::string_view name) noexcept {
  for (int32_t i = 0; i < count; ++i) {
    const TainByteArray* have;
    if constexpr (requires { members[i]->info; }) {
      have = &members[i]->info.name;
    } else {
      have = &members[i]->name;
    }
    if (std::string_view(have->data, have->size) == name) return members[i];
  }
  return nullptr;
}
/// Returns the type's own method of a name, without those of its parents; null if there is none.
inline const TainMethodDef* OwnMethod(const TainTypeRecord& record,
                                      std::string_view name) noexcept {
  return FindNamed(record.methods, record.num_methods, name);
}

/// Returns all fields of a type, those of its parents first. A field that a child registers again
/// replaces the parent's field at the same place.
TAIN_DLL std::vector<const TainFieldDef*> AllFieldsOf(const TainTypeRecord& record);
/// Throws ValueError if the value in a field does not fulfil the field's conditions, check and
/// range. A constructor of the author's own does not ask them.
TAIN_DLL void CheckConditions(TainObject* object, const TainFieldDef& field);

}  // namespace tain::internal
