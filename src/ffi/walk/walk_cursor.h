// SPDX-License-Identifier: Apache-2.0
// Where a walk is among the parts of an open object, and the next object there.
#pragma once

#include "graphs/parts.h"
#include "tain/internal/container_version.h"
#include "values/container_detail.h"
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

/// Returns the next object among the keys and values of a map, or null at its end.
inline TainObject* NextObjectInMap(WalkCursor& top, MapCursor& at) {
  while (const MapItem* item = NextItem(top.object, &top.next, &at)) {
    const TainAny& part = at.at_value ? item->key : item->value;
    if (part.type_index >= kTainStaticObjectBegin) return part.v_obj;
  }
  return nullptr;
}

}  // namespace tain::internal
