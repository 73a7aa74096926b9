// SPDX-License-Identifier: Apache-2.0
// Values of the core as Python objects.
#pragma once

#include "objects/instance.h"

namespace tain::bindings {

/// A short text.
PyObject* SmallTextToPython(const TainAny& text) noexcept;
/// A String object, whose reference is taken over.
PyObject* TextToPython(TainObject* text) noexcept;
/// Everything beyond None, int, bool, float, text and object; takes over what `value` owns.
PyObject* ToPythonSlow(const TainAny& value) noexcept;

/// The Python object of an owned value, which is taken over; null with an error set.
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

/// The Python object of a borrowed value.
PyObject* ViewToPython(const TainAny* view) noexcept;

}  // namespace tain::bindings
