// SPDX-License-Identifier: Apache-2.0
// Finds the function that makes objects of a type; see type_constructor.h.
#include "objects/type_constructor.h"

#include "base/error.h"

namespace tain::bindings {
namespace {

TypeConstructor OwnConstructorOf(const TainTypeRecord* record) noexcept {
  if (record->constructor == nullptr && TainTypeComplete(record->info->type_index) != 0) {
    DropCoreError();
  }
  if (record->constructor == nullptr) return {};
  internal::IncRef(record->constructor);
  return TypeConstructor(record->constructor);
}

TypeConstructor GlobalNamedLike(const TainTypeRecord* record) noexcept {
  TainObject* found = nullptr;
  if (TainFunctionGetGlobal(&record->info->type_key, &found) != 0) DropCoreError();
  return TypeConstructor(found);
}

}  // namespace

TypeConstructor ConstructorOf(const TainTypeRecord* record) noexcept {
  TypeConstructor own = OwnConstructorOf(record);
  return own ? std::move(own) : GlobalNamedLike(record);
}

TypeConstructor NamedConstructorOf(const TainTypeRecord* record) noexcept {
  TypeConstructor named = GlobalNamedLike(record);
  return named ? std::move(named) : OwnConstructorOf(record);
}

}  // namespace tain::bindings
