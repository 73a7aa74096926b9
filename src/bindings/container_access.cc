// SPDX-License-Identifier: Apache-2.0
// What the slots of containers share; see container_access.h.
#include "container_access.h"

#include <cstring>

namespace tain::bindings {

const char* ContainerName(int32_t type_index) noexcept {
  switch (type_index) {
    case kTainArray: return "Array";
    case kTainList: return "List";
    case kTainMap: return "Map";
    case kTainDict: return "Dict";
    default: return "Shape";
  }
}

void SetReceiverError(PyObject* self, const char* expected) noexcept {
  if (!IsInstance(self)) {
    PyErr_Format(PyExc_TypeError, "expected %s, got %s", expected, TypeName(self));
    return;
  }
  const TainObject* object = ObjectOf(self);
  if (object == nullptr) return;  // empty, and ObjectOf has said so
  Guarded(0, [&] {
    TainAny value{};
    value.type_index = object->type_index;
    const std::string got = internal::TypeNameOf(value);
    PyErr_Format(PyExc_TypeError, "expected %s, got %s", expected, got.c_str());
    return 0;
  });
}

PyObject* SmallTextToPython(const TainAny& text) noexcept {
  const size_t size = text.small_str_len;
  // ASCII is by far the most frequent, and unused bytes are zero.
  if (TAIN_UNLIKELY((text.v_uint64 & 0x8080808080808080u) != 0 || size < 2)) {
    return ToStr(text.v_bytes, size);
  }
  PyObject* str = PyUnicode_New(static_cast<Py_ssize_t>(size), 127);
  if (str != nullptr) std::memcpy(PyUnicode_DATA(str), text.v_bytes, size);
  return str;
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
