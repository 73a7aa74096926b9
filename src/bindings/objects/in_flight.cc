// SPDX-License-Identifier: Apache-2.0
// The refusal of what would take an object from under a call; see in_flight.h.
#include "objects/in_flight.h"

#include <algorithm>

#include "objects/instance.h"

namespace tain::bindings {

constinit const TainObject* UsedObjects::first_room[kFirstRoom] = {};
constinit const TainObject** UsedObjects::begin = first_room;
constinit const TainObject** UsedObjects::end = first_room + 1;
constinit const TainObject** UsedObjects::limit = first_room + kFirstRoom;
constinit size_t UsedObjects::num_unlisted = 0;

bool UsedObjects::Has(const TainObject* object) noexcept {
  return num_unlisted != 0 || std::find(begin, end, object) != end;
}

void UsedObjects::Visit(int (*visit)(TainObject* object, void* context), void* context) {
  for (const TainObject** at = end; at[-1] != nullptr; --at) {
    if (visit(const_cast<TainObject*>(at[-1]), context) != 0) return;
  }
}

bool UsedObjects::MakeRoom() noexcept {
  const auto size = static_cast<size_t>(end - begin);
  auto* room = static_cast<const TainObject**>(
      PyMem_RawRealloc(begin == first_room ? nullptr : begin, 2 * size * sizeof(*begin)));
  if (room == nullptr) return false;
  if (begin == first_room) std::copy(begin, end, room);
  begin = room;
  end = room + size;
  limit = room + 2 * size;
  return true;
}

void UsedObjects::RemoveInside(const TainObject* object) noexcept {
  const TainObject** at = end;
  while (*--at != object) {
    if (at == begin) {  // there was no room for it
      --num_unlisted;
      return;
    }
  }
  *at = *--end;
}

constinit LastingUse* LastingUse::first = nullptr;

LastingUse::LastingUse(const TainObject* object) noexcept
    : object_(object), next_(first), before_(&first) {
  if (next_ != nullptr) next_->before_ = &next_;
  first = this;
}

LastingUse::~LastingUse() {
  *before_ = next_;
  if (next_ != nullptr) next_->before_ = before_;
}

bool LastingUse::Has(const TainObject* object) noexcept {
  for (const LastingUse* use = first; use != nullptr; use = use->next_) {
    if (use->object_ == object) return true;
  }
  return false;
}

bool CheckUnused(PyObject* instance, const char* what) noexcept {
  if (TAIN_LIKELY(IsEmpty(instance))) return true;
  const TainObject* object = ObjectOf(instance);
  if (object == nullptr) return false;
  if (!UsedObjects::Has(object) && !LastingUse::Has(object)) return true;
  PyErr_Format(PyExc_TypeError,
               "%s.%s: the object is in use by a call that has not returned, or by a buffer",
               TypeName(instance), what);
  return false;
}

}  // namespace tain::bindings
