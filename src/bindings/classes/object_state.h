// SPDX-License-Identifier: Apache-2.0
// The state of an object as pickles and copies take it apart and put it together.
#pragma once

#include <string>

#include "base/py.h"

namespace tain::bindings {

/// The state of an object beside what its constructor must have.
struct ObjectState {
  nb::dict fields;
  nb::object own;  ///< what Python's own pickling keeps: None, __dict__, or (__dict__, slots)
};
ObjectState StateOf(nb::handle self);
/// The second half alone.
nb::object PythonStateOf(nb::handle self);
/// Sets what StateOf gave; throws nb::python_error.
void RestoreParts(nb::handle self, nb::handle fields, nb::handle own);
/// Sets what PythonStateOf gave.
void RestorePython(PyObject* self, const nb::object& own);

/// The fields of an object: those that its constructor must have, and the rest, which is set when
/// the object is known already, so that cycles may pass through it.
struct FieldValues {
  nb::dict needed = NewDict();
  nb::dict rest = NewDict();
};
FieldValues FieldsOf(TainObject* object, const TainTypeRecord* record, bool all_at_once);
/// Sets the fields that `fields` names; TypeError about names that are none.
void SetFields(TainObject* object, const TainTypeRecord* record, nb::dict fields);

/// Whether an object can be made without arguments, to be given its fields.
bool HasDefault(const TainTypeRecord* record) noexcept;
/// The constructor's parameters; of overloads, those of the first that needs nothing but fields.
const TainFunctionInfo* ConstructorInfo(const TainTypeRecord* record);
/// The name of a parameter that the constructor must have and that is no field; empty if there is
/// none.
std::string MissingField(const TainTypeRecord* record, const TainFunctionInfo* info);
/// The instance of a class for a new object, whose reference is taken over.
nb::object InstanceFor(PyTypeObject* type, TainObject* object);

/// Whether a class has an attribute that is not what tain.Object has.
bool DiffersFromObject(nb::handle cls, const char* name);
/// Whether the class has neither __reduce__ nor __setstate__ of its own.
bool PicklesAsTain(PyTypeObject* type);
/// A copy; `nb::dict(fields)` would be the same dict.
nb::dict CopyOf(const nb::dict& fields);

}  // namespace tain::bindings
