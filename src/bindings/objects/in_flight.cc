// SPDX-License-Identifier: Apache-2.0
// The objects that running calls use; see in_flight.h.
#include "objects/in_flight.h"

#include <algorithm>

#include "objects/instance.h"
#include "objects/state.h"

namespace tain::bindings {

bool UsedObjects::Has(const TainObject* object) noexcept {
  const UsedList& used = GetObjectsState().used;
  return used.num_unlisted != 0 || std::find(used.begin, used.end, object) != used.end;
}

void UsedObjects::Visit(int (*visit)(TainObject* object, void* context), void* context) {
  for (const TainObject** at = GetObjectsState().used.end; at[-1] != nullptr; --at) {
    if (visit(const_cast<TainObject*>(at[-1]), context) != 0) return;
  }
}

bool UsedObjects::MakeRoom() noexcept {
  UsedList& used = GetObjectsState().used;
  const bool is_first = used.begin == used.first_room;
  const auto size = static_cast<size_t>(used.end - used.begin);
  auto* room = static_cast<const TainObject**>(
      PyMem_RawRealloc(is_first ? nullptr : used.begin, 2 * size * sizeof(*used.begin)));
  if (room == nullptr) return false;
  if (is_first) std::copy(used.begin, used.end, room);
  used.begin = room;
  used.end = room + size;
  used.limit = room + 2 * size;
  return true;
}

void UsedObjects::RemoveInside(const TainObject* object) noexcept {
  UsedList& used = GetObjectsState().used;
  const TainObject** at = used.end;
  while (*--at != object) {
    if (at == used.begin) {  // there was no room for it
      --used.num_unlisted;
      return;
    }
  }
  *at = *--used.end;
}

LastingUse::LastingUse(const TainObject* object) noexcept
    : object_(object),
      next_(GetObjectsState().lasting_uses),
      before_(&GetObjectsState().lasting_uses) {
  if (next_ != nullptr) next_->before_ = &next_;
  *before_ = this;
}

LastingUse::~LastingUse() {
  *before_ = next_;
  if (next_ != nullptr) next_->before_ = before_;
}

bool LastingUse::Has(const TainObject* object) noexcept {
  for (const LastingUse* use = GetObjectsState().lasting_uses; use != nullptr; use = use->next_) {
    if (use->object_ == object) return true;
  }
  return false;
}

bool CheckUnused(PyObject* wrapper, const char* what) noexcept {
  if (TAIN_LIKELY(IsEmpty(wrapper))) return true;
  const TainObject* object = ObjectOf(wrapper);
  if (object == nullptr) return false;
  if (!UsedObjects::Has(object) && !LastingUse::Has(object)) return true;
  PyErr_Format(PyExc_TypeError,
               "%s.%s: the object is in use by a call that has not returned, or by a buffer",
               TypeName(wrapper), what);
  return false;
}

}  // namespace tain::bindings
