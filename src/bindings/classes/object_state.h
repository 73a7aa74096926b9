// SPDX-License-Identifier: Apache-2.0
// The state of an object: pickles and copies take it apart and restore it.
#pragma once

#include <string>

#include "base/py.h"
#include "objects/type_constructor.h"
#include "tain/internal/make_plan.h"

namespace tain::bindings {

/// The state of an object without the values that its constructor needs.
struct ObjectState {
  nb::dict fields;
  nb::object own;  ///< the state that Python's pickling keeps: None, __dict__, or (__dict__, slots)
};
ObjectState StateOf(nb::handle self);
/// Returns only `own`. A __getstate__ of C++ knows nothing of it.
nb::object PythonStateOf(nb::handle self);
/// Restores the result of StateOf; throws nb::python_error.
void RestoreParts(nb::handle self, nb::handle fields, nb::handle own);
/// Restores the result of PythonStateOf.
void RestorePython(PyObject* self, const nb::object& own);

/// The fields of an object: those that its constructor needs, and the others, which are set after
/// the object is known to pickle, so that cycles may pass through them.
struct FieldValues {
  nb::dict needed = NewDict();
  nb::dict rest = NewDict();
};
FieldValues FieldsOf(TainObject* object, const TainTypeRecord* record, bool all_at_once);
/// Sets the fields that `fields` names; TypeError for a name that is not a field.
void SetFields(TainObject* object, const TainTypeRecord* record, nb::dict fields);

/// Whether an object can be made without arguments before its fields are set.
bool HasDefault(const TainTypeRecord* record) noexcept;
/// Returns what a type's constructor takes of the fields; null if it has no constructor.
const internal::MakePlan* PlanWith(const TainTypeRecord* record, const TypeConstructor& found);
/// Returns a wrapper of a class for a new object, and takes over the object's reference.
nb::object WrapperFor(PyTypeObject* type, TainObject* object);

/// Whether an attribute of a class differs from the attribute of tain.Object.
bool DiffersFromObject(nb::handle cls, const char* name);
/// Whether C++ defines a special method of an object, and no Python class overrides it.
bool IsDefinedInCpp(nb::handle self, const char* name);
/// The same for both __getstate__ and __setstate__.
bool TakesStateInCpp(nb::handle self);
/// Whether the class inherits __reduce__ and __setstate__ from tain.Object.
bool PicklesAsTain(PyTypeObject* type);
/// Returns a copy. (`nb::dict(fields)` would be the same dict.)
nb::dict CopyOf(const nb::dict& fields);

}  // namespace tain::bindings
