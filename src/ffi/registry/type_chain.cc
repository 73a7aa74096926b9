// SPDX-License-Identifier: Apache-2.0
// A type with its parents; see type_chain.h.
#include "registry/type_chain.h"

#include "base/guard.h"

namespace tain::internal {

const TainTypeRecord& RegisteredType(int32_t type_index) {
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  if (record != nullptr) return *record;
  TAIN_THROW(ValueError) << "type index " << type_index << " is not that of a registered type";
}

const TainMethodDef* OwnMethod(const TainTypeRecord& record, std::string_view name) noexcept {
  for (int32_t i = 0; i < record.num_methods; ++i) {
    if (View(record.methods[i]->info.name) == name) return record.methods[i];
  }
  return nullptr;
}

TypeChain ChainOf(int32_t type_index) {
  TypeChain chain;
  if (TainGetTypeRecord(type_index) == nullptr) type_index = kTainObject;
  for (const TainTypeRecord* record = TainGetTypeRecord(type_index); record != nullptr;
       record = TainGetTypeRecord(record->request.parent)) {
    chain.push_back(record);
    if (record->info->type_index == kTainObject) break;
  }
  return chain;
}

}  // namespace tain::internal
