// SPDX-License-Identifier: Apache-2.0
// Puts new values in the places of parts; see walk_rebuild.h.
#include "walk/walk_rebuild.h"

#include <algorithm>

#include "graphs/rebuild.h"

namespace tain::internal {
namespace {

/// Writes fields of an object that belongs to the walk, read-only ones too. Returns false if one
/// cannot be set.
bool WriteInPlace(TainObject* object, const std::vector<FieldChange>& changes) {
  return std::all_of(changes.begin(), changes.end(), [&](const FieldChange& change) {
    return TryWriteField(object, *change.field, change.value.data());
  });
}

Any WithFields(TainObject* object, const WalkType& type, std::span<PartChange> changes,
               bool in_place) {
  std::vector<FieldChange> fields;
  fields.reserve(changes.size());
  for (PartChange& change : changes) {
    fields.push_back({type.fields[static_cast<size_t>(change.index)].def, change.value});
  }
  if (in_place && WriteInPlace(object, fields)) return ShareObject(object);
  return CopyWithFields(object, fields);
}

Any WithElements(TainObject* object, std::span<PartChange> changes, bool in_place) {
  const Any made = in_place ? ShareObject(object)
                            : Any::Steal(ViewOfObject(SeqCopy(object, object->type_index, 0)));
  for (PartChange& change : changes) {
    if (change.index >= SeqSize(made.data().v_obj)) {
      TAIN_THROW(RuntimeError) << "mutate: the sequence became shorter during the walk";
    }
    SeqSet(made.data().v_obj, change.index, std::move(change.value));
  }
  return made;
}

/// Makes a new map, because keys may have changed. Of two keys that have become equal the first
/// keeps its place, and the second gives the value.
Any WithEntries(TainObject* object, std::span<PartChange> changes) {
  const Any made = Any::Steal(ViewOfObject(MapNew(object->type_index, MapSize(object))));
  auto change = changes.begin();
  MapPlace place = MapPlaceAt(object, MapFirst(object));
  for (int64_t index = 0; MapItemOf(object, place) != nullptr; ++index) {
    Any key{AnyView(MapItemOf(object, place)->key)};
    Any value{AnyView(MapItemOf(object, place)->value)};
    for (; change != changes.end() && change->index == index; ++change) {
      (change->is_key ? key : value) = std::move(change->value);
    }
    MapSet(made.data().v_obj, std::move(key), std::move(value));
    place = MapPlaceAfter(object, place);
  }
  return made;
}

}  // namespace

bool BelongsToWalk(const TainObject* object, int32_t own) noexcept {
  auto* header = const_cast<TainObject*>(object);
  if (ObjectAccess::FromHeader(header)->use_count() != own) return false;
  if ((TainObjectWordOf(header) & kTainHeaderHasPrefix) == 0) return false;
  const uintptr_t tie =
      std::atomic_ref<uintptr_t>(TainObjectPrefixOf(header)->tie).load(std::memory_order_acquire);
  return (tie & ~uintptr_t{kTainTieMask}) == 0 || (tie & kTainTieOwnsWrapper) != 0;
}

Any WithParts(TainObject* object, const WalkType& type, PartsOf form, std::span<PartChange> changes,
              bool in_place) {
  switch (form) {
    case PartsOf::kFields: return WithFields(object, type, changes, in_place);
    case PartsOf::kSequence: return WithElements(object, changes, in_place);
    default: return WithEntries(object, changes);
  }
}

}  // namespace tain::internal
