// SPDX-License-Identifier: Apache-2.0
// Gives new C++ objects to wrappers; see attach.h.
#include "objects/attach.h"

#include <optional>
#include <string>

#include "base/error.h"
#include "objects/class_table.h"
#include "objects/in_flight.h"
#include "objects/instance.h"
#include "tain/internal/box_override.h"

namespace tain::bindings {
namespace {

void SetNotFreshError(PyObject* self, const TainObject* object, const char* what) noexcept {
  Guarded(0, [&] {
    const ClassRecord* record = RecordOfType(Py_TYPE(self));
    const TainTypeInfo* info =
        record != nullptr ? record->record->info : TainGetTypeInfo(object->type_index);
    const std::string key(View(info->type_key));
    PyErr_Format(PyExc_TypeError,
                 "%s.%s: the constructor of %s returned an object that already has a Python "
                 "object; call %s(...) itself to get it",
                 TypeName(self), what, key.c_str(), key.c_str());
    return 0;
  });
}

/// Whether a wrapper may get a new object; false with TypeError set. Call it when no more Python
/// code runs before the attachment, because such code may give the wrapper another class or
/// object.
bool CheckFresh(PyObject* self, TainObject* object, const char* what) {
  const ClassRecord* record = IsWrapper(self) ? RecordOfType(Py_TYPE(self)) : nullptr;
  if (record == nullptr || record->type_index == kTainFunction ||
      (object->type_index != record->type_index &&
       TainTypeIsInstance(object->type_index, record->type_index) == 0)) {
    TainAny value{};
    value.type_index = object->type_index;
    PyErr_Format(PyExc_TypeError, "%s.%s: expected an object of its class, got %s", TypeName(self),
                 what, internal::TypeNameOf(value).c_str());
    return false;
  }
  if (FindWrapper(object) != nullptr) {
    SetNotFreshError(self, object, what);
    return false;
  }
  if (record->is_overridden && Py_TYPE(self)->tp_dealloc == &SubclassDealloc &&
      !internal::KnowsItsBox(object)) {
    PyErr_Format(PyExc_TypeError,
                 "%s.%s: the constructor made an object whose class calls no overrides: it must "
                 "return a std::unique_ptr to one of the class P in ObjectDef<Boxed<F, P>>",
                 TypeName(self), what);
    return false;
  }
  return CheckUnused(self, what);
}

}  // namespace

int AttachFresh(PyObject* self, TainObject* object, const char* what) noexcept {
  std::optional<WordLock> lock;
  if (IsWrapper(self) && TAIN_UNLIKELY(!IsEmpty(self))) lock.emplace(self);
  if (!Guarded(false, [&] { return CheckFresh(self, object, what); })) {
    internal::DecRef(object);
    return -1;
  }
  TainObject* old = nullptr;  // __init__ was called twice: the last object counts
  if (TAIN_UNLIKELY(!Exchange(AsInstance(self), object, &old))) {
    SetNotFreshError(self, object, what);
    internal::DecRef(object);
    return -1;
  }
  if (old != nullptr) internal::DecRef(old);
  return 0;
}

}  // namespace tain::bindings
