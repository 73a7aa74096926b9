// SPDX-License-Identifier: Apache-2.0
// Nested classes and enums: the class of the key `geometry.Expr.Kind` is the attribute `Kind` of the
// class of `geometry.Expr`. It is looked up at each access, so it is made when it is first used, and
// a redefinition is seen.
#pragma once

#include "objects/class_table.h"

namespace tain::bindings {

/// Adds the attributes of a new class.
void AddNestedClasses(const ClassRecord& outer);
/// Adds the attributes that have been registered since to the classes that were made before.
void UpdateNestedClasses();

}  // namespace tain::bindings
