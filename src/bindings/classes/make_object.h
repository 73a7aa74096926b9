// SPDX-License-Identifier: Apache-2.0
// Makes the C++ objects of a class: calls its constructor, or the function that bears its key.
#pragma once

#include "calls/call.h"
#include "objects/class_table.h"
#include "objects/type_constructor.h"

namespace tain::bindings {

/// Sets TypeError: the class has no constructor, with the reason.
void SetNoConstructorError(const ClassRecord* record);
/// Returns the object that a constructor returned; null with TypeError set, without the value, if it
/// is none of the class.
TainObject* ObjectFrom(const ClassRecord* record, const TainAny& result) noexcept;
/// Calls the function that constructs a type; null with an error set, also if there is none.
TainObject* ConstructBy(const TypeConstructor& found, const ClassRecord* record,
                        PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) noexcept;
/// Calls a function that must make an object of the record's type; null with a Python error set.
inline TainObject* MakeObject(const ClassRecord* record, TainObject* function,
                              const TainFunctionInfo* info, PyObject* const* args, Py_ssize_t nargs,
                              PyObject* kwnames) noexcept {
  TainAny result{};
  if (CallCoreRaw(function, info, args, nargs, kwnames, &result) != 0) return nullptr;
  if (TAIN_LIKELY(result.type_index == record->type_index)) return result.v_obj;
  return ObjectFrom(record, result);
}
/// Makes an object of a class; null with a Python error set.
inline TainObject* Construct(const ClassRecord* record, PyObject* const* args, Py_ssize_t nargs,
                             PyObject* kwnames) noexcept {
  if (TAIN_UNLIKELY(record->constructor == nullptr)) {
    return ConstructBy(ConstructorOf(record->record), record, args, nargs, kwnames);
  }
  return MakeObject(record, record->constructor, record->constructor_info, args, nargs, kwnames);
}

/// Returns the record of a wrapper's class; null with TypeError set if it has none.
const ClassRecord* RecordOfWrapper(PyObject* self) noexcept;
/// Makes an object with the default constructor, which the type must have. Exceptions of the
/// constructor pass through.
TainObject* MakeDefault(const TainTypeRecord* record);
/// Whether an object can be made without arguments.
bool NeedsNothing(const ClassRecord* record) noexcept;
/// Makes an object without arguments and attaches it to an empty wrapper; null with an error set.
TainObject* AttachWithoutArguments(const ClassRecord* record, PyObject* self) noexcept;

}  // namespace tain::bindings
