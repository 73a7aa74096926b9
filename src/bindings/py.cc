// SPDX-License-Identifier: Apache-2.0
// Text helpers of the bridge; see py.h.
#include "py.h"

#include <cstring>

namespace tain::bindings {

PyObject* Interned(const char* text) noexcept { return PyUnicode_InternFromString(text); }

PyObject* ToStr(const char* data, size_t size) noexcept {
  PyObject* text = PyUnicode_DecodeUTF8(data, static_cast<Py_ssize_t>(size), nullptr);
  if (TAIN_LIKELY(text != nullptr)) return text;
  if (!PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) return nullptr;
  PyErr_Clear();
  return PyUnicode_DecodeUTF8(data, static_cast<Py_ssize_t>(size), "surrogatepass");
}

const char* Forever(std::string_view text) {
  char* copy = new char[text.size() + 1];
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

}  // namespace tain::bindings
