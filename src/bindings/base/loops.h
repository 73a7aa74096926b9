// SPDX-License-Identifier: Apache-2.0
// Loops over lists, tuples and dicts of Python whose bodies run foreign code.
//
// Foreign code may change what is being read, so nothing that was read stays valid during a turn but
// what the loop holds: an item, or a key and its value. The iterators of nanobind remember where a
// list ended, and borrow the entries of a dict.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Calls `use(item)` for each item of a list or tuple. If a list grows meanwhile, its new items are
/// left out; if it shrinks, the loop ends early.
template <class F>
void ForEachItem(nb::handle given, F&& use) {
  const nb::object sequence = Checked(Readable(given.ptr()).release());
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(sequence.ptr());
  for (Py_ssize_t i = 0; i < size && i < PySequence_Fast_GET_SIZE(sequence.ptr()); ++i) {
    const nb::object item = nb::borrow(PySequence_Fast_GET_ITEM(sequence.ptr(), i));
    use(item);
  }
}

/// Sets RuntimeError because a dict changed during a loop. Always returns false.
inline bool SetDictChanged(const char* what) noexcept {
  PyErr_Format(PyExc_RuntimeError, "dictionary %s during iteration", what);
  return false;
}
/// The same, and throws it.
[[noreturn]] inline void ThrowDictChanged(const char* what) {
  SetDictChanged(what);
  throw nb::python_error();
}

/// Calls `use(key, value)` for each entry of a dict. Throws RuntimeError if the dict changes
/// meanwhile, as a loop of Python does.
template <class F>
void ForEachEntry(nb::handle given, F&& use) {
  const nb::object dict = Checked(Readable(given.ptr()).release());
  const Py_ssize_t size = PyDict_GET_SIZE(dict.ptr());
  Py_ssize_t at = 0;
  for (Py_ssize_t left = size;; --left) {
    if (PyDict_GET_SIZE(dict.ptr()) != size) ThrowDictChanged("changed size");
    PyObject *next_key, *next_value;
    if (PyDict_Next(dict.ptr(), &at, &next_key, &next_value) == 0) return;
    if (left == 0) ThrowDictChanged("keys changed");
    const nb::object key = nb::borrow(next_key);
    const nb::object value = nb::borrow(next_value);
    use(key, value);
  }
}

}  // namespace tain::bindings
