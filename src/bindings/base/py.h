// SPDX-License-Identifier: Apache-2.0
// Python.h and nanobind, what differs between Python versions, and an owning pointer for slots.
#pragma once

#include <nanobind/nanobind.h>
#include <structmember.h>

#include <string>
#include <string_view>
#include <utility>

#include "tain/any.h"
#include "tain/convert.h"

namespace nb = nanobind;

namespace tain::bindings {

/// An owned Python reference inside slots, where nb::object would be one too many includes of
/// exceptions.
class Own {
 public:
  Own() noexcept = default;
  explicit Own(PyObject* object) noexcept : object_(object) {}
  Own(Own&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Own& operator=(Own&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;
  ~Own() { Py_XDECREF(object_); }
  static Own Share(PyObject* object) noexcept { return Own(Py_XNewRef(object)); }

  PyObject* get() const noexcept { return object_; }
  PyObject* release() noexcept { return std::exchange(object_, nullptr); }
  explicit operator bool() const noexcept { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

/// Name of an object's type as a user knows it: `int`, `geometry.Point`.
inline const char* TypeName(PyObject* object) noexcept { return Py_TYPE(object)->tp_name; }

/// A new dict; nb::dict() does not look whether there is memory.
inline nb::dict NewDict() {
  PyObject* made = PyDict_New();
  if (made == nullptr) throw nb::python_error();
  return nb::steal<nb::dict>(made);
}
/// Whether an object is a str with this text.
inline bool IsText(PyObject* object, const char* ascii) noexcept {
  return PyUnicode_Check(object) && PyUnicode_CompareWithASCIIString(object, ascii) == 0;
}
/// A new list, as NewDict.
inline nb::list NewList() {
  PyObject* made = PyList_New(0);
  if (made == nullptr) throw nb::python_error();
  return nb::steal<nb::list>(made);
}

/// Text of the core as str; a lone surrogate crosses as its three bytes.
PyObject* ToStr(const char* data, size_t size) noexcept;
inline PyObject* ToStr(const TainByteArray& bytes) noexcept {
  return ToStr(bytes.data, bytes.size);
}
/// The UTF-8 text of a str, lone surrogates as their three bytes; TypeError `where: expected str,
/// got int (3)` for anything else.
std::string TextFrom(nb::handle text, const char* where);
/// The same of a name that is to be registered: ValueError if C++ could not say it.
std::string NameFrom(nb::handle name, const char* where);
/// Raises ValueError with a text that may hold surrogates and NULs.
[[noreturn]] void ThrowValue(std::string_view text);
/// Raises TypeError.
[[noreturn]] void ThrowType(const std::string& text);
inline std::string_view View(const TainByteArray& bytes) noexcept {
  return {bytes.data, bytes.size};
}
/// The key of a type.
inline std::string KeyOf(const TainTypeRecord* record) {
  return std::string(View(record->info->type_key));
}
/// A function of any of CPython's signatures, for a PyMethodDef.
template <class F>
inline PyCFunction MethodPointer(F* function) noexcept {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}
/// A copy of a text that lives for ever, ending with NUL: for tp_name and PyGetSetDef.
const char* Forever(std::string_view text);

}  // namespace tain::bindings
