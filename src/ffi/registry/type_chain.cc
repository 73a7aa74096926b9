// SPDX-License-Identifier: Apache-2.0
// A type with its parents; see type_chain.h.
#include "registry/type_chain.h"

#include "registry/registry.h"

namespace tain::internal {

const TainTypeRecord& RegisteredType(int32_t type_index) {
  return Registry::Default().types.Registered(type_index)->record;
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
