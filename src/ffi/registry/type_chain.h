// SPDX-License-Identifier: Apache-2.0
// A type with its parents.
#pragma once

#include <vector>

#include "tain/internal/type_members.h"

namespace tain::internal {

/// The records of a type, its parent ... up to tain::Object.
using TypeChain = std::vector<const TainTypeRecord*>;

/// Returns the record of a type. Throws ValueError if there is none.
const TainTypeRecord& RegisteredType(int32_t type_index);
/// Returns the chain of a type. An unregistered type has the chain of tain::Object.
TypeChain ChainOf(int32_t type_index);

}  // namespace tain::internal
