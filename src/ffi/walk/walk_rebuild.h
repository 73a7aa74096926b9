// SPDX-License-Identifier: Apache-2.0
// Puts new values in the places of parts: in a copy, or in the object itself.
#pragma once

#include <span>

#include "walk/walk_memory.h"

namespace tain::internal {

/// A new value of a part.
struct PartChange {
  int64_t index;  ///< of the WalkField, element or entry
  bool is_key;    ///< of an entry
  Any value;
};

/// Whether an object has no references but `own` ones, and no wrapper that is in use.
bool BelongsToWalk(const TainObject* object, int32_t own) noexcept;

/// Returns the object with its parts changed: itself if `in_place`, else a copy. The changes are in
/// the order of the parts. Throws TypeError if a value does not fit or the type cannot be rebuilt.
Any WithParts(TainObject* object, const WalkType& type, PartsOf form, std::span<PartChange> changes,
              bool in_place);

}  // namespace tain::internal
