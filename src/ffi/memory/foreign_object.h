// SPDX-License-Identifier: Apache-2.0
// Objects without prefix: their ties, and the deleter that replaces their own.
#pragma once

#include "tain/object.h"

namespace tain::internal {

/// Gives the wrapper that a dying object owns back to the host; false if it owns none.
bool HandBackIfOwned(TainObject* object, int flags) noexcept;

/// Counts nested deletions of other libraries' objects in this thread. Objects that wait during a
/// deletion are freed before the end of the outermost one.
class ForeignDeletion : NotCopied {
 public:
  ForeignDeletion() noexcept;
  ~ForeignDeletion();
};

}  // namespace tain::internal
