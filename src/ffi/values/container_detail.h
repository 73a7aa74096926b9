// SPDX-License-Identifier: Apache-2.0
// What the memory of sequences and maps have in common: dropping, sharing, copying, and the counter
// of changes.
#pragma once

#include <cstdlib>

#include "tain/internal/container_api.h"
#include "tain/internal/container_version.h"

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

// ---------------------------------------------------------------- the counter of changes

/// Bytes of a map's object that both forms share; the pairs of a small one follow.
inline constexpr size_t kMapSharedSize = 56;
/// Bytes of a sequence's object; the counter and then the elements follow.
inline constexpr size_t kSeqSize = 56;

/// The deleters of what SeqNew and MapNew make. They also tell where the counter lies: a map's
/// stands behind the room for kPairs pairs, where it is out of the way of both forms. One pair of
/// room is what the last members of the dense form take.
void DeleteSeq(void* self, int flags);
template <size_t kPairs>
void DeleteMap(void* self, int flags);
extern template void DeleteMap<1>(void* self, int flags);
extern template void DeleteMap<2>(void* self, int flags);
extern template void DeleteMap<3>(void* self, int flags);
extern template void DeleteMap<4>(void* self, int flags);

inline uint64_t* WordAt(const TainObject* object, size_t offset) noexcept {
  return reinterpret_cast<uint64_t*>(reinterpret_cast<uintptr_t>(object) + offset);
}
/// Where the counter of a map with room for `pairs` pairs in its own block lies.
inline uint64_t* MapChangesAt(const TainObject* map, size_t pairs) noexcept {
  return WordAt(map, kMapSharedSize + pairs * sizeof(MapItem));
}
/// The counter of a container, or null if others made it.
inline uint64_t* ChangesOf(const TainObject* container) noexcept {
  void (*const deleter)(void*, int) = container->deleter;
  if (deleter == &DeleteSeq) return WordAt(container, kSeqSize);
  if (deleter == &DeleteMap<4>) return MapChangesAt(container, 4);
  if (deleter == &DeleteMap<1>) return MapChangesAt(container, 1);
  if (deleter == &DeleteMap<2>) return MapChangesAt(container, 2);
  return deleter == &DeleteMap<3> ? MapChangesAt(container, 3) : nullptr;
}

}  // namespace tain::internal
