// SPDX-License-Identifier: Apache-2.0
// The fields of a type with those of its parents.
#pragma once

#include <vector>

#include "tain/c_api_ext.h"

namespace tain::internal {

/// All fields of a type, those of the parents first; one that a child registers again stands in its
/// first place.
TAIN_DLL std::vector<const TainFieldDef*> AllFieldsOf(const TainTypeRecord& record);

}  // namespace tain::internal
