// SPDX-License-Identifier: Apache-2.0
// Where a walk is among the parts of an open object, and the next object there.
#pragma once

#include "graphs/parts.h"
#include "tain/internal/container_api.h"
#include "tain/internal/container_version.h"
#include "walk/walk_type.h"

namespace tain::internal {

/// The place in the parts of an open object.
struct WalkCursor {
  TainObject* object;
  const WalkType* type;
  int64_t next = 0;
  PartsOf form;
};

/// Returns the object in a field without a getter, or null.
inline TainObject* FieldPart(TainObject* object, const WalkField& field) noexcept {
  const char* place = reinterpret_cast<const char*>(object) + field.offset;
  if (field.form == WalkForm::kPointer) return *reinterpret_cast<TainObject* const*>(place);
  const auto& value = *reinterpret_cast<const TainAny*>(place);
  return value.type_index >= kTainStaticObjectBegin ? value.v_obj : nullptr;
}

/// Returns the next object in a sequence, or null at its end.
inline TainObject* NextOfSequence(WalkCursor& top) noexcept {
  while (top.next < SeqSize(top.object)) {
    const TainAny& element = SeqData(top.object)[top.next++];
    if (element.type_index >= kTainStaticObjectBegin) return element.v_obj;
  }
  return nullptr;
}

/// The place in an open map, which may change during the walk.
struct MapCursor {
  MapPlace place;
  bool at_value = false;
};

/// Returns the next object among the keys and values of a map, or null at its end. Throws
/// RuntimeError if the entry of a key is gone.
inline TainObject* NextObjectInMap(WalkCursor& top, MapCursor& at) {
  while (true) {
    if (at.at_value) {
      at.at_value = false;
      const MapItem* item = MapItemOf(top.object, at.place);
      if (item == nullptr) ThrowMapChanged();
      if (item->value.type_index >= kTainStaticObjectBegin) return item->value.v_obj;
    }
    at.place = top.next++ == 0 ? MapPlaceAt(top.object, MapFirst(top.object))
                               : MapPlaceAfter(top.object, at.place);
    const MapItem* item = MapItemOf(top.object, at.place);
    if (item == nullptr) return nullptr;
    at.at_value = true;
    if (item->key.type_index >= kTainStaticObjectBegin) return item->key.v_obj;
  }
}

}  // namespace tain::internal
