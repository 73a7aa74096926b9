// SPDX-License-Identifier: Apache-2.0
// The fields of a type, including those of its parents.
#pragma once

#include <vector>

#include "tain/c_api_ext.h"

namespace tain::internal {

/// Returns all fields of a type, those of its parents first. A field that a child registers again
/// replaces the parent's field at the same place.
TAIN_DLL std::vector<const TainFieldDef*> AllFieldsOf(const TainTypeRecord& record);
/// Throws ValueError if the value in a field does not fulfil the field's conditions, check and
/// range. A constructor of the author's own does not ask them.
TAIN_DLL void CheckConditions(TainObject* object, const TainFieldDef& field);

}  // namespace tain::internal
