// SPDX-License-Identifier: Apache-2.0
// The references that a C++ object holds, as reflection knows them.
#pragma once

#include <new>

#include "base/error.h"

namespace tain::bindings {

/// TainObjectVisitEdges; throws std::bad_alloc where there is no memory, which is all that fails.
inline void VisitEdges(TainObject* object, int (*visit)(TainObject* child, void* context),
                       void* context) {
  if (TainObjectVisitEdges(object, visit, context) == 0) return;
  DropCoreError();
  throw std::bad_alloc();
}

}  // namespace tain::bindings
