// SPDX-License-Identifier: Apache-2.0
// Visits the references that a C++ object holds in its reflected members.
#pragma once

#include <new>

#include "base/error.h"

namespace tain::bindings {

/// Calls TainObjectVisitEdges. Throws std::bad_alloc if there is no memory; nothing else can fail.
inline void VisitEdges(TainObject* object, int (*visit)(TainObject* child, void* context),
                       void* context) {
  if (TainObjectVisitEdges(object, visit, context) == 0) return;
  DropCoreError();
  throw std::bad_alloc();
}

}  // namespace tain::bindings
