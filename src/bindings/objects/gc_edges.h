// SPDX-License-Identifier: Apache-2.0
// Visits the references that a C++ object holds in its reflected members.
#pragma once

#include <new>

#include "base/error.h"

namespace tain::bindings {

/// Calls `visit(child)` for each reference, until it returns nonzero. Throws std::bad_alloc if there
/// is no memory; nothing else can fail.
template <class F>
void VisitEdges(TainObject* object, F visit) {
  const auto call = [](TainObject* child, void* run) { return (*static_cast<F*>(run))(child); };
  if (TainObjectVisitEdges(object, call, &visit) == 0) return;
  DropCoreError();
  throw std::bad_alloc();
}

}  // namespace tain::bindings
