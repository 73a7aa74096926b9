// SPDX-License-Identifier: Apache-2.0
// What the memory of sequences and maps have in common: dropping, sharing, copying.
#pragma once

#include <cstdlib>

#include "tain/internal/container_api.h"

namespace tain::internal {

/// Counts one more holder of a value.
inline void Retain(const TainAny& value) noexcept {
  if (value.type_index >= kTainStaticObjectBegin) IncRef(value.v_obj);
}
inline void Drop(const TainAny& value) noexcept {
  if (value.type_index >= kTainStaticObjectBegin) DecRef(value.v_obj);
}

/// Keeps an object alive while its elements are dropped, which may release whoever held it.
class KeepAlive {
 public:
  explicit KeepAlive(TainObject* object) noexcept : object_(object) { IncRef(object_); }
  ~KeepAlive() { DecRef(object_); }
  KeepAlive(const KeepAlive&) = delete;
  KeepAlive& operator=(const KeepAlive&) = delete;
  /// Whether everybody else has let go.
  bool IsLast() const noexcept { return ObjectAccess::FromHeader(object_)->use_count() == 1; }

 private:
  TainObject* object_;
};

/// Whether nobody but the caller's one reference sees the object.
inline bool IsUnique(TainObject* object) noexcept {
  return ObjectAccess::FromHeader(object)->unique();
}

/// A copy made by the host if the object's mirror is of a class written there, else null.
TainObject* CopyMirrored(TainObject* object);

/// Frees what malloc gave: the data_deleter of tain's containers.
void FreeBlock(void* block);

}  // namespace tain::internal
