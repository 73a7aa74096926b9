// SPDX-License-Identifier: Apache-2.0
// Text helpers of the bridge; see py.h.
#include "base/py.h"

#include <algorithm>
#include <cstdarg>
#include <cstring>

namespace tain::bindings {
namespace {

/// Whether all bytes are below 128.
bool IsAscii(const char* data, size_t size) noexcept {
  constexpr uint64_t kHighBits = 0x8080808080808080u;
  uint64_t seen = 0;
  size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    uint64_t word;
    std::memcpy(&word, data + i, 8);
    seen |= word;
  }
  for (; i < size; ++i) seen |= static_cast<unsigned char>(data[i]);
  return (seen & kHighBits) == 0;
}

/// Throws an exception with a text that may be no UTF-8.
[[noreturn]] void ThrowText(PyObject* cls, std::string_view text) {
  const Own message(ErrorText(text));
  if (message) PyErr_SetObject(cls, message.get());
  throw nb::python_error();
}

}  // namespace

void SetSlots(std::vector<PyType_Slot>* slots, std::initializer_list<PyType_Slot> added) {
  for (const PyType_Slot& slot : added) {
    std::erase_if(*slots, [&](const PyType_Slot& other) { return other.slot == slot.slot; });
    slots->push_back(slot);
  }
}

PyObject* ToStr(const char* data, size_t size) noexcept {
  // CPython shares shorter texts, and for longer texts its decoder is as fast.
  if (size >= 2 && size <= 256 && IsAscii(data, size)) {
    PyObject* text = PyUnicode_New(static_cast<Py_ssize_t>(size), 127);
    if (TAIN_LIKELY(text != nullptr)) std::memcpy(PyUnicode_DATA(text), data, size);
    return text;
  }
  PyObject* text = PyUnicode_DecodeUTF8(data, static_cast<Py_ssize_t>(size), nullptr);
  if (TAIN_LIKELY(text != nullptr)) return text;
  if (!PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) return nullptr;
  PyErr_Clear();
  return PyUnicode_DecodeUTF8(data, static_cast<Py_ssize_t>(size), "surrogatepass");
}

PyObject* ErrorText(std::string_view text) noexcept {
  PyObject* made = ToStr(text.data(), text.size());
  if (made != nullptr || !PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) return made;
  PyErr_Clear();
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
}

std::string Utf8Of(nb::handle str) {
  Py_ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(str.ptr(), &size)) {
    return {data, static_cast<size_t>(size)};
  }
  PyErr_Clear();
  const Own bytes(PyUnicode_AsEncodedString(str.ptr(), "utf-8", "surrogatepass"));
  if (!bytes) throw nb::python_error();
  return std::string(View(BytesIn(bytes.get())));
}

nb::object ImportedModule(const char* name) {
  return nb::steal(PyImport_GetModule(Checked(PyUnicode_FromString(name)).ptr()));
}

void ThrowValue(std::string_view text) { ThrowText(PyExc_ValueError, text); }

const char* Forever(std::string_view text) {
  char* copy = new char[text.size() + 1];
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

void ThrowType(const std::string& text) { ThrowText(PyExc_TypeError, text); }

void ThrowError(PyObject* cls, const char* format, ...) {
  va_list args;
  va_start(args, format);
  PyErr_FormatV(cls, format, args);
  va_end(args);
  throw nb::python_error();
}

void SetRaised(PyObject* exception) noexcept {
#if PY_VERSION_HEX >= 0x030C0000
  PyErr_SetRaisedException(exception);
#else
  PyErr_Restore(Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(exception))), exception,
                PyException_GetTraceback(exception));
#endif
}

PyObject* TakeRaised() noexcept {
#if PY_VERSION_HEX >= 0x030C0000
  return PyErr_GetRaisedException();
#else
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (type == nullptr) return nullptr;
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != nullptr) PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return value;
#endif
}

}  // namespace tain::bindings
