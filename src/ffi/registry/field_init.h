// SPDX-License-Identifier: Apache-2.0
// Constructors of types, among them the one that takes the fields (dynamic/field_init.cc).
#pragma once

#include "tain/reflection/info.h"

namespace tain::internal {

/// Registers a function as the constructor of a type and as its static method `__create__`; beside
/// one that is there already only if `overloads`.
void DefineConstructor(int32_t type_index, const Function& function, InPlaceConstructor construct,
                       const char* doc, bool overloads);
/// Makes the constructor of a type from its fields and registers it. Throws on a mistake.
void DefineFieldConstructor(int32_t type_index, const char* key);
/// Throws if a child's field constructor was made before its parent was described.
void CheckNotLate(int32_t type_index);

}  // namespace tain::internal
