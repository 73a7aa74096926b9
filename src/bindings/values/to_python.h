// SPDX-License-Identifier: Apache-2.0
// Converts values of the core to Python objects.
#pragma once

#include "objects/instance.h"

namespace tain::bindings {

/// Converts a small string or small bytes.
PyObject* SmallTextToPython(const TainAny& text) noexcept;
/// Converts a String object and takes over its reference.
PyObject* TextToPython(TainObject* text) noexcept;
/// Converts values of all types but None, int, bool, float, text and registered objects. Takes over
/// the reference that `value` owns.
PyObject* ToPythonSlow(const TainAny& value) noexcept;

/// Converts an owned value and takes over its reference; null with an error set.
inline PyObject* ToPython(const TainAny& value) noexcept {
  switch (value.type_index) {
    case kTainNone: return Py_NewRef(Py_None);
    case kTainInt: return PyLong_FromLongLong(value.v_int64);
    case kTainBool: return Py_NewRef(value.v_int64 != 0 ? Py_True : Py_False);
    case kTainFloat: return PyFloat_FromDouble(value.v_float64);
    case kTainSmallStr: return SmallTextToPython(value);
    case kTainStr: return TextToPython(value.v_obj);
    default:
      if (TAIN_LIKELY(value.type_index >= kTainDynObjectBegin)) return Wrap(value.v_obj);
      return ToPythonSlow(value);
  }
}

#ifdef Py_GIL_DISABLED
/// ToPython without the lock of the bridge. Returns false, without an error or any effect, if that needs
/// the lock.
inline bool FreeToPython(const TainAny& value, PyObject** out) noexcept {
  switch (value.type_index) {
    case kTainNone:
    case kTainInt:
    case kTainBool:
    case kTainFloat:
    case kTainSmallStr:
    case kTainStr: *out = ToPython(value); return true;
    case kTainSmallBytes:
    case kTainBytes: *out = ToPythonSlow(value); return true;
    default: break;
  }
  if (value.type_index < kTainDynObjectBegin) return false;
  *out = FreeWrap(value.v_obj);
  return *out != nullptr;
}
#endif

/// Converts a borrowed value.
PyObject* ViewToPython(const TainAny* view) noexcept;
/// The same; throws nb::python_error.
inline nb::object BorrowedToPython(const TainAny& value) { return Checked(ViewToPython(&value)); }

}  // namespace tain::bindings
