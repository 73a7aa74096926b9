// SPDX-License-Identifier: Apache-2.0
// Objects without prefix: their ties, and the deleter that replaces their own.
#pragma once

#include <vector>

#include "tain/object.h"

namespace tain::internal {

/// The type and the own deleter of an object without prefix.
struct ForeignObject {
  int32_t type_index;
  void (*deleter)(void* self, int flags);  ///< may be null
};

/// Returns all objects that have a tie and no prefix.
std::vector<ForeignObject> LiveForeignObjects();

/// Gives the wrapper that a dying object owns back to the host; false if it owns none.
bool HandBackIfOwned(TainObject* object, int flags) noexcept;

/// Counts nested deletions of other libraries' objects in this thread. Objects that wait during a
/// deletion are freed before the end of the outermost one.
class ForeignDeletion {
 public:
  ForeignDeletion() noexcept;
  ~ForeignDeletion();
  ForeignDeletion(const ForeignDeletion&) = delete;
  ForeignDeletion& operator=(const ForeignDeletion&) = delete;
};

}  // namespace tain::internal
