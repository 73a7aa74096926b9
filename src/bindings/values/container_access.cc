// SPDX-License-Identifier: Apache-2.0
// Common helpers for the slots of containers; see container_access.h.
#include "values/container_access.h"

#include "base/given_text.h"
#include "tain/internal/builtin_types.h"

namespace tain::bindings {

const char* ContainerName(int32_t type_index) noexcept {
  return internal::BuiltinOfIndex(type_index)->name.data();
}

void SetReceiverError(PyObject* self, const char* expected) noexcept {
  if (!IsWrapper(self)) {
    SetGivenError(PyExc_TypeError, std::string("expected ") + expected, self);
    return;
  }
  const TainObject* object = ObjectOf(self);
  if (object == nullptr) return;  // the object is empty, and ObjectOf has set the error
  Guarded(0, [&] {
    TainAny value{};
    value.type_index = object->type_index;
    const std::string got = internal::TypeNameOf(value);
    PyErr_Format(PyExc_TypeError, "expected %s, got %s", expected, got.c_str());
    return 0;
  });
}

bool CheckCount(const char* method, Py_ssize_t given, Py_ssize_t least, Py_ssize_t most) noexcept {
  if (given >= least && given <= most) return true;
  const bool few = given < least;
  const Py_ssize_t bound = few ? least : most;
  const char* how = least == most ? "" : few ? "at least " : "at most ";
  PyErr_Format(PyExc_TypeError, "%s expected %s%zd argument%s, got %zd", method, how, bound,
               bound == 1 ? "" : "s", given);
  return false;
}

}  // namespace tain::bindings
