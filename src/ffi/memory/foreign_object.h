// SPDX-License-Identifier: Apache-2.0
// Objects without prefix: their ties, and the deleter in front of their own.
#pragma once

#include "tain/object.h"

namespace tain::internal {

/// Hands the mirror back that a dying object owns; false if it owns none.
bool HandBackIfOwned(TainObject* object, int flags) noexcept;

/// Deletions on this thread, nested in one of an object of others: what dies inside is freed before
/// the end of the outermost.
class ForeignDeletion {
 public:
  ForeignDeletion() noexcept;
  ~ForeignDeletion();
  ForeignDeletion(const ForeignDeletion&) = delete;
  ForeignDeletion& operator=(const ForeignDeletion&) = delete;
};

}  // namespace tain::internal
