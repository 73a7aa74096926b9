// SPDX-License-Identifier: Apache-2.0
// A type with its parents.
#pragma once

#include <string_view>
#include <vector>

#include "tain/base.h"

namespace tain::internal {

/// The records of a type, its parent ... up to tain::Object.
using TypeChain = std::vector<const TainTypeRecord*>;

/// Returns the record of a type. Throws ValueError if there is none.
const TainTypeRecord& RegisteredType(int32_t type_index);
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
/// Returns the chain of a type. An unregistered type has the chain of tain::Object.
TypeChain ChainOf(int32_t type_index);

}  // namespace tain::internal
