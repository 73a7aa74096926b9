// SPDX-License-Identifier: Apache-2.0
// Boxes whose objects C++ owns as a std::unique_ptr, and calls overrides of.
//
// Until C++ destroys such an object it is lent to Python: what depends on it ends before it. The
// object holds the box, and with it the wrapper that has the overrides.
#include <array>

#include "base/fork.h"
#include "base/guard.h"
#include "tain/internal/box_override.h"

namespace tain::internal {

void GiveBox(BoxObj* box) noexcept {
  IncRef(ObjectAccess::Header(box));
  box->kind = BoxKind::kGiven;
  box->loan = BoxLoan::kLent;
}

ObjectPtr<Object> TakeBack(BoxObj* box, bool is_in_box) noexcept {
  if (box->kind != BoxKind::kGiven) return ObjectPtr<Object>(box);  // C++ owned nothing
  box->loan = BoxLoan::kNone;
  box->kind = is_in_box ? BoxKind::kOverridden : BoxKind::kUnique;
  return RefAccess::Steal<Object>(ObjectAccess::Header(box));
}

void LeaveGiven(BoxObj* box) noexcept {
  DropKept(box);
  DecRef(ObjectAccess::Header(box));
}

ObjectPtr<Object> SharedAgain(BoxObj* box, int64_t owners) {
  if (box->kind == BoxKind::kGiven && owners <= 1) {
    TAIN_THROW(TypeError)
        << View(TainGetTypeInfo(box->type_index())->type_key)
        << ": the object was given to C++ as a std::unique_ptr, so it cannot come "
        << "back as the last std::shared_ptr: return a std::unique_ptr";
  }
  return ObjectPtr<Object>(box);
}

bool KnowsItsBox(TainObject* object) noexcept {
  return IsBoxType(object->type_index) &&
         static_cast<const BoxObj*>(ObjectAccess::FromHeader(object))->is_known;
}

std::mutex& KeptValueLock(const void* link) noexcept {
  auto& locks = NeverDestroyed<std::array<std::mutex, 16>>();
  return locks[(reinterpret_cast<uintptr_t>(link) >> 6) % locks.size()];
}

}  // namespace tain::internal
