// SPDX-License-Identifier: Apache-2.0
// The objects that boxes keep alive, as edges of the object graph, and their end.
#pragma once

#include "tain/internal/box.h"

namespace tain::internal {

/// Calls `visit` for each object that a box keeps alive, until it returns non-zero, and returns that.
int VisitKept(const BoxObj* box, int (*visit)(TainObject* child, void* context), void* context);
/// Takes from a box what it keeps alive, after its object was destroyed, which may use it.
void ClearKept(BoxObj* box);

/// Makes an object, or what has its memory, keep another one alive as long as it lives itself.
void KeepForObject(TainObject* nurse, TainObject* patient);
/// Makes a box that refers to an object keep the owners alive that are objects. One that others have
/// already does not begin to depend on a loan. Returns whether it kept each of them itself before.
bool KeepOwners(BoxObj* box, bool is_new, const TainAny* owners, int32_t num_owners);
/// Whether an object is lent, and dies with the call, so that it cannot keep others alive.
bool IsLentForCall(TainObject* object) noexcept;

/// Makes the copy of an object keep what the object of a box keeps; does nothing for other objects.
void KeepWhatSourceKeeps(TainObject* copy, const TainObject* source);

/// Ends the object of a box that owns it, with code of the library that registered the class;
/// registry/box_table.cc defines it.
void EndBoxedObject(BoxObj* box) noexcept;

}  // namespace tain::internal
