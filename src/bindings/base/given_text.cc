// SPDX-License-Identifier: Apache-2.0
// Describes Python values for messages; see given_text.h.
#include "base/given_text.h"

#include "base/error.h"
#include "base/opaque.h"
#include "tain/internal/container_api.h"

namespace tain::bindings {

std::string GivenText(nb::handle value) {
  const TainObject* opaque = MakeOpaque(value.ptr());
  if (opaque == nullptr) throw nb::python_error();
  const Any held = Any::Steal(internal::ViewOfObject(opaque));
  try {
    return internal::TypeAndValue(held.data());  // which asks DescribeGiven
  } catch (...) {
    SetFromException();
  }
  throw nb::python_error();
}

void SetGivenError(PyObject* error, std::string text, PyObject* value) noexcept {
  PyErr_Clear();
  Guarded(0, [&] {
    text += ", got " + GivenText(value);
    const nb::object message = Checked(ErrorText(text));
    PyErr_SetObject(error, message.ptr());
    return 0;
  });
}

void ThrowGiven(std::string text, nb::handle value, PyObject* error) {
  SetGivenError(error, std::move(text), value.ptr());
  throw nb::python_error();
}

std::string TextFrom(nb::handle text, const char* where) {
  if (!PyUnicode_Check(text.ptr())) ThrowGiven(std::string(where) + ": expected str", text);
  return Utf8Of(text);
}

std::string NameFrom(nb::handle name, const char* where) {
  std::string text = TextFrom(name, where);
  if (PyUnicode_AsUTF8AndSize(name.ptr(), nullptr) == nullptr || text.find('\0') != text.npos) {
    ThrowError(PyExc_ValueError, "%s: the name %R is not UTF-8 text without NUL", where,
               name.ptr());
  }
  return text;
}

}  // namespace tain::bindings
