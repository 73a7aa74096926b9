// SPDX-License-Identifier: Apache-2.0
// Types of other libraries, of which there is no ObjectDef, as parents of types laid out at run time.
#pragma once

#include <string_view>

#include "dynamic/dynamic_layout.h"

namespace tain::internal {

/// Whether a type, and all of its parents but Object, were described by the ABI's functions alone.
bool IsForeignChain(const TainTypeRecord& record);

/// Adds the fields of such a type to a layout, and returns its size. Its objects are then made without
/// its C++ constructor, so each byte must belong to a field whose empty state is known. Throws TypeError,
/// which names `child` and what is in the way, if it is not so.
int64_t AddForeignParent(const TainTypeRecord& record, std::string_view child,
                         DynamicLayout* layout);

}  // namespace tain::internal
