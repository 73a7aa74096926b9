// SPDX-License-Identifier: Apache-2.0
// The first argument of `__s_visit__` and `__s_mutate__` functions.
#pragma once

#include "tain/any.h"
#include "tain/function.h"

namespace tain::internal {

/// The requests of such a function to the walk that calls it: `visit(child)` or `mutate(child)`.
/// RuntimeError after the function has returned.
class WalkHookObj : public Object {
 public:
  using Ask = Any (*)(void* walk, const Any& child);

  /// The action of the walk on a child; null once the function has returned.
  void* walk = nullptr;
  Ask visit = nullptr;
  Ask mutate = nullptr;

  Any Visit(const Any& child) const { return Run(visit, "visit", child); }
  Any Mutate(const Any& child) const { return Run(mutate, "mutate", child); }

  TAIN_OBJECT("tain.transform.WalkHook", WalkHookObj, Object);

 private:
  Any Run(Ask ask, const char* name, const Any& child) const;
};

/// Calls such a function for an object.
Any CallWalkHook(const TainAny& function, void* walk, WalkHookObj::Ask visit,
                 WalkHookObj::Ask mutate, TainObject* object);

}  // namespace tain::internal
