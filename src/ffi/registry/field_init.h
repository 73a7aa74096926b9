// SPDX-License-Identifier: Apache-2.0
// Constructors of types, and the constructor that takes the fields (dynamic/field_init.cc).
#pragma once

#include "tain/internal/type_builder.h"

namespace tain::internal {

/// Registers a function as the constructor of a type and as its static method `__create__`. If the
/// type has a constructor already, this is a mistake unless `overloads`.
void DefineConstructor(int32_t type_index, const Function& function, InPlaceConstructor construct,
                       const char* doc, bool overloads);
/// Makes and registers the constructor that takes the fields of a type. Throws on a mistake.
void DefineFieldConstructor(int32_t type_index, const char* key);
/// Whether a constructor from fields has a parameter for a field.
bool IsArgument(const TainFieldDef& field) noexcept;
/// Returns that parameter.
TainArgInfo ArgumentOf(const TainFieldDef& field) noexcept;
/// Throws if the field constructor of a child was made before its parent was described.
void CheckNotLate(int32_t type_index);

}  // namespace tain::internal
