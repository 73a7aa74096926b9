// SPDX-License-Identifier: Apache-2.0
// Includes Python.h and nanobind, and has helpers for text and for owned references.
#pragma once

#include <nanobind/nanobind.h>
#include <structmember.h>

#include <atomic>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tain/any.h"
#include "tain/convert.h"
#include "tain/internal/dotted_name.h"

namespace nb = nanobind;

namespace tain::bindings {

/// An owned Python reference. Slots use it instead of nb::object because it throws nothing.
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

/// The name of an object's type as users know it: `int`, `geometry.Point`.
inline const char* TypeName(PyObject* object) noexcept { return Py_TYPE(object)->tp_name; }

/// Returns the class's name as in a class statement: `Point`.
inline const char* ClassName(const PyTypeObject* type) noexcept {
  return internal::LastPart(type->tp_name).data();  // the end of tp_name, so it ends with NUL
}
inline const char* ClassName(PyObject* object) noexcept { return ClassName(Py_TYPE(object)); }

/// Whether an object is a str with this text.
inline bool IsText(PyObject* object, const char* ascii) noexcept {
  return PyUnicode_Check(object) && PyUnicode_CompareWithASCIIString(object, ascii) == 0;
}

/// Converts UTF-8 text of the core to a new str, or returns null with an error set. Three bytes
/// that encode a lone surrogate become that surrogate.
PyObject* ToStr(const char* data, size_t size) noexcept;
inline PyObject* ToStr(const TainByteArray& bytes) noexcept {
  return ToStr(bytes.data, bytes.size);
}
/// Returns the UTF-8 text of a str, with each lone surrogate as three bytes; throws
/// nb::python_error. For values that may be no str: TextFrom in given_text.h.
std::string Utf8Of(nb::handle str);
/// Converts the text of an error to a new str, or returns null with an error set. An error must not
/// be lost because of its text, so bytes that are not UTF-8 become surrogates, as Python's
/// `surrogateescape` makes them.
PyObject* ErrorText(std::string_view text) noexcept;
/// Throws ValueError with a text that may contain surrogates and NULs.
[[noreturn]] void ThrowValue(std::string_view text);
/// Throws TypeError.
[[noreturn]] void ThrowType(const std::string& text);
/// Sets an error as PyErr_Format does, and throws it.
[[noreturn]] void ThrowError(PyObject* cls, const char* format, ...);
using internal::View;
inline TainByteArray BytesOf(std::string_view text) noexcept { return {text.data(), text.size()}; }
/// Takes ownership of a new reference. If it is null, throws the Python error that is set.
inline nb::object Checked(PyObject* made) {
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}
/// Return a new dict or list. Unlike nb::dict() and nb::list(), they throw if there is no memory.
inline nb::dict NewDict() { return nb::borrow<nb::dict>(Checked(PyDict_New())); }
inline nb::list NewList() { return nb::borrow<nb::list>(Checked(PyList_New(0))); }
/// Returns an attribute, or None if there is none. Throws nb::python_error if reading it fails in
/// another way: no memory, an interrupt, an error of a property.
inline nb::object AttrOrNone(nb::handle object, nb::handle name) {
  PyObject* value = PyObject_GetAttr(object.ptr(), name.ptr());
  if (value != nullptr) return nb::steal(value);
  if (!PyErr_ExceptionMatches(PyExc_AttributeError)) throw nb::python_error();
  PyErr_Clear();
  return nb::none();
}
inline nb::object AttrOrNone(nb::handle object, const char* name) {
  return AttrOrNone(object, Checked(PyUnicode_FromString(name)));
}
/// Says that an object lives as long as the process. Without a GIL its references are then not counted:
/// threads that use one class, function or method at the same time would wait for each other to count.
inline void NeverDies(PyObject* object) noexcept {
#ifdef Py_GIL_DISABLED
  constexpr int kBits = 32;
  Py_SET_REFCNT(object,
                Py_ssize_t{1} << kBits);  // too large for a count: CPython makes it immortal
#else
  (void)object;
#endif
}
/// Gives an object whose last reference was dropped a reference again. Without a GIL other threads may
/// find out at any time whether it has one, for example by a weak reference; from then on it belongs to
/// no thread, so that they can take one.
inline void Revive(PyObject* object) noexcept {
#ifdef Py_GIL_DISABLED
  std::atomic_ref<uintptr_t>(object->ob_tid).store(0, std::memory_order_relaxed);
  std::atomic_ref<uint32_t>(object->ob_ref_local).store(0, std::memory_order_relaxed);
  std::atomic_ref<Py_ssize_t>(object->ob_ref_shared)
      .store((Py_ssize_t{1} << _Py_REF_SHARED_SHIFT) | _Py_REF_MERGED, std::memory_order_release);
#else
  Py_SET_REFCNT(object, 1);
#endif
}
/// Drops that reference, but does not end the object; true if it was the last one.
inline bool DropRevived(PyObject* object) noexcept {
#ifdef Py_GIL_DISABLED
  constexpr Py_ssize_t kOne = Py_ssize_t{1} << _Py_REF_SHARED_SHIFT;
  return std::atomic_ref<Py_ssize_t>(object->ob_ref_shared)
             .fetch_sub(kOne, std::memory_order_acq_rel) == (kOne | _Py_REF_MERGED);
#else
  Py_SET_REFCNT(object, Py_REFCNT(object) - 1);
  return Py_REFCNT(object) == 0;
#endif
}
/// Returns the value of a key in a dict as a new reference; null, with or without an error set, if
/// there is none.
inline PyObject* DictValue(PyObject* dict, PyObject* key) noexcept {
#ifdef Py_GIL_DISABLED
  PyObject* value = nullptr;
  return PyDict_GetItemRef(dict, key, &value) < 0 ? nullptr : value;
#else
  return Py_XNewRef(PyDict_GetItemWithError(dict, key));
#endif
}
/// Returns what a class and its bases have under a name, as a new reference; null without an error if
/// they have nothing.
inline Own ClassMember(PyTypeObject* type, PyObject* name) noexcept {
#ifdef Py_GIL_DISABLED
  return Own(_PyType_LookupRef(type, name));
#else
  return Own::Share(_PyType_Lookup(type, name));
#endif
}
/// A list, tuple or dict of the user's, to read: the object itself, which this keeps; without a GIL a
/// copy, because other threads may change a list or dict at any time. Null with an error set if there
/// is no memory.
inline Own Readable(PyObject* object) noexcept {
#ifdef Py_GIL_DISABLED
  if (PyList_Check(object)) return Own(PyList_AsTuple(object));
  if (PyDict_Check(object)) return Own(PyDict_Copy(object));
#endif
  return Own::Share(object);
}
/// Converts text of the core to a str; throws nb::python_error.
inline nb::str Text(std::string_view text) {
  return nb::borrow<nb::str>(Checked(ToStr(text.data(), text.size())));
}
inline nb::str Text(const TainByteArray& bytes) { return Text(View(bytes)); }
/// The same, but None for an empty text.
inline nb::object TextOrNone(std::string_view text) {
  return text.empty() ? nb::none() : nb::object(Text(text));
}
/// The key of a type.
inline std::string KeyOf(const TainTypeRecord* record) {
  return std::string(View(record->info->type_key));
}
/// Converts a function of any of CPython's method signatures to the type of PyMethodDef.
template <class F>
inline PyCFunction MethodPointer(F* function) noexcept {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}
template <class F>
inline PyType_Slot Slot(int id, F* function) noexcept {
  return {id, reinterpret_cast<void*>(function)};
}
/// Sets slots of a new class, each in place of the one with the same id, if there is one.
void SetSlots(std::vector<PyType_Slot>* slots, std::initializer_list<PyType_Slot> added);
/// Returns a copy of a text, with a NUL at its end, that is never freed: for tp_name and
/// PyGetSetDef.
const char* Forever(std::string_view text);

/// Adds methods to a new class; throws nb::python_error. The records must never be freed.
template <size_t N>
void AddMethods(PyTypeObject* type, PyMethodDef (&methods)[N]) {
  for (PyMethodDef& method : methods) {
    nb::setattr(nb::handle(type), method.ml_name, Checked(PyDescr_NewMethod(type, &method)));
  }
}

/// Sets BufferError. Always returns -1.
inline int RefuseBuffer(const char* why) noexcept {
  PyErr_SetString(PyExc_BufferError, why);
  return -1;
}
/// The content of an object of the class bytes.
inline TainByteArray BytesIn(PyObject* bytes) noexcept {
  return {PyBytes_AS_STRING(bytes), static_cast<size_t>(PyBytes_GET_SIZE(bytes))};
}
/// Returns a module if it is imported; invalid if not: then no object is one of its classes.
nb::object ImportedModule(const char* name);

/// Takes the Python error that is set, and returns it with its traceback as a new reference; null
/// if none is set.
PyObject* TakeRaised() noexcept;
/// Sets the Python error again; takes over the reference.
void SetRaised(PyObject* exception) noexcept;

}  // namespace tain::bindings
