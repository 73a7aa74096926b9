// SPDX-License-Identifier: Apache-2.0
// Common memory helpers of sequences and maps: dropping, sharing, copying, and the counter of
// changes.
#pragma once

#include <cstdlib>

#include "tain/internal/container_api.h"
#include "tain/internal/container_version.h"

namespace tain::internal {

/// Adds a reference to a value.
inline void Retain(const TainAny& value) noexcept {
  if (value.type_index >= kTainStaticObjectBegin) IncRef(value.v_obj);
}
inline void Drop(const TainAny& value) noexcept {
  if (value.type_index >= kTainStaticObjectBegin) DecRef(value.v_obj);
}

/// Keeps an object alive while its elements are dropped, which may drop the owner of the object.
class KeepAlive : NotCopied {
 public:
  explicit KeepAlive(TainObject* object) noexcept : object_(object) { IncRef(object_); }
  ~KeepAlive() { DecRef(object_); }
  /// Whether all other references have been dropped.
  bool IsLast() const noexcept { return ObjectAccess::FromHeader(object_)->use_count() == 1; }

 private:
  TainObject* object_;
};

/// Whether the caller's reference is the only one to the object.
inline bool IsUnique(TainObject* object) noexcept {
  return ObjectAccess::FromHeader(object)->unique();
}

/// Whether an object has more than one reference, so that it may be met again in the same graph.
inline bool IsShared(const TainObject* object) noexcept {
  return ObjectAccess::FromHeader(const_cast<TainObject*>(object))->use_count() > 1;
}

/// Returns a copy made by the host if the object's wrapper is of a class of the host, else null.
TainObject* CopyWrapped(TainObject* object);

/// Frees memory of malloc: the data_deleter of tain's containers.
void FreeBlock(void* block);

// ---------------------------------------------------------------- the counter of changes

/// The common bytes of both forms of a map; in a small map the pairs follow.
inline constexpr size_t kMapSharedSize = 56;
/// The bytes of a sequence's object; the counter and then the elements follow.
inline constexpr size_t kSeqSize = 56;

/// The deleters of objects that SeqNew and MapNew make. They also identify the place of the
/// counter: in a map it follows the room for kPairs pairs, where neither form overwrites it. The
/// last members of the dense form take the room of one pair.
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
/// The place of the counter in a map with room for `pairs` pairs in its own block.
inline uint64_t* MapChangesAt(const TainObject* map, size_t pairs) noexcept {
  return WordAt(map, kMapSharedSize + pairs * sizeof(MapItem));
}
/// The counter of a container, or null if another library made the container.
inline uint64_t* ChangesOf(const TainObject* container) noexcept {
  void (*const deleter)(void*, int) = container->deleter;
  if (deleter == &DeleteSeq) return WordAt(container, kSeqSize);
  if (deleter == &DeleteMap<4>) return MapChangesAt(container, 4);
  if (deleter == &DeleteMap<1>) return MapChangesAt(container, 1);
  if (deleter == &DeleteMap<2>) return MapChangesAt(container, 2);
  return deleter == &DeleteMap<3> ? MapChangesAt(container, 3) : nullptr;
}

/// Returns the first place of an iteration over a map, or the one after `last`.
inline MapPlace NextPlace(const TainObject* map, bool is_first, const MapPlace& last) {
  return is_first ? MapPlaceAt(map, MapFirst(map)) : MapPlaceAfter(map, last);
}

/// Where an iteration over the keys and values of a map is, which may change meanwhile.
struct MapCursor {
  MapPlace place;
  bool at_value = false;  ///< the value of the entry is next
};

/// Returns the entry whose key or value is next, or null at the end of the map: it is the key if
/// `at_value` is set then. `next` counts the entries. Throws RuntimeError if the entry of a key is
/// gone.
inline const MapItem* NextItem(const TainObject* map, int64_t* next, MapCursor* at) {
  if (at->at_value) {
    at->at_value = false;
    const MapItem* item = MapItemOf(map, at->place);
    if (item == nullptr) ThrowMapChanged();
    return item;
  }
  at->place = NextPlace(map, (*next)++ == 0, at->place);
  const MapItem* item = MapItemOf(map, at->place);
  at->at_value = item != nullptr;
  return item;
}

}  // namespace tain::internal
