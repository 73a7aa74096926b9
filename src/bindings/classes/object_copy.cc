// SPDX-License-Identifier: Apache-2.0
// copy and deepcopy of objects that C++ copies.
//
// The library copies the C++ object; this file copies the class, the `__dict__` and the slots of a
// Python subclass. A deep copy then replaces the objects in the fields of the copy by deep copies.
// Types that C++ cannot copy, and Python subclasses with their own pickle methods, are copied by
// pickling.
#include "classes/init.h"

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/hooks.h"
#include "base/recursion.h"
#include "base/type_keys.h"
#include "calls/call_values.h"
#include "classes/field_descr.h"
#include "classes/object_state.h"
#include "objects/class_table.h"
#include "objects/instance.h"
#include "tain/internal/deep_copy.h"
#include "tain/internal/make_plan.h"

namespace tain::bindings {
namespace {

/// Returns the function that copies objects of exactly this type, or null.
TainObject* CopyFunctionOf(int32_t type_index) noexcept {
  const TainAny* value = TypeAttr(type_index, "__ffi_shallow_copy__");
  return value == nullptr || value->type_index != kTainFunction ? nullptr : value->v_obj;
}

/// Copies as the module copy does with a class that has no methods for copies.
nb::object Reconstruct(nb::handle self, nb::handle memo) {
  const nb::module_ copy = nb::module_::import_("copy");
  const nb::object reducers = nb::module_::import_("copyreg").attr("dispatch_table");
  const nb::object reduce = reducers.attr("get")(self.type());
  const nb::object parts = reduce.is_none() ? self.attr("__reduce_ex__")(4) : reduce(self);
  if (PyUnicode_Check(parts.ptr())) return nb::borrow(self);
  return copy.attr("_reconstruct")(self, memo, *parts);
}

/// Whether a class that was compiled copies its objects by its copy constructor. Objects whose type
/// Python defined are copied by pickling, which runs the class's code.
bool HasCopyConstructor(const TainTypeRecord* record) noexcept {
  return record->def.copy != nullptr && record->layout == nullptr;
}
bool HasNoCopy(const TainTypeRecord* record) noexcept {
  return (record->def.flags & kTainTypeNoCopy) != 0;
}

TainObject* CallCopyFunction(PyObject* self, TainObject* object, TainObject* function) {
  const TainAny arg = internal::ViewOfObject(object);
  TainAny result{};
  if (CallWithValues(function, &arg, 1, &result) != 0) throw nb::python_error();
  const Any made = Any::Steal(result);
  if (result.type_index != arg.type_index) {
    ThrowError(PyExc_TypeError, "%s: __ffi_shallow_copy__ returned %s, expected %s", TypeName(self),
               internal::TypeNameOf(result).c_str(), internal::TypeNameOf(arg).c_str());
  }
  internal::IncRef(result.v_obj);
  return result.v_obj;
}

/// The object of `self`, and how C++ copies it.
struct Source {
  explicit Source(PyObject* self) {
    TainObject* found = ObjectOf(self);
    if (found == nullptr) throw nb::python_error();
    object = internal::RefAccess::Share<Object>(found);
    if (!PicklesAsTain(Py_TYPE(self))) return;
    function = CopyFunctionOf(found->type_index);
    const TainTypeRecord* record = TainGetTypeRecord(found->type_index);
    const bool by_library = function != nullptr || HasNoCopy(record);
    by_core = by_library || HasCopyConstructor(record);
    deep_by_core = by_library || internal::UnregisteredBytes(found->type_index) != 0;
  }
  TainObject* header() const noexcept { return internal::RefAccess::Header(object); }
  /// Returns a new object of the same class, without the Python state.
  nb::object Copy(PyObject* self) const {
    TainObject* made = function != nullptr ? CallCopyFunction(self, header(), function)
                                           : internal::CopyInCpp(header());
    return WrapperFor(Py_TYPE(self), made);
  }

  ObjectPtr<Object> object;
  TainObject* function = nullptr;  ///< `__ffi_shallow_copy__`
  bool by_core = false;            ///< otherwise it is copied by pickling
  bool deep_by_core = false;       ///< the same for deep copies
};

PyObject* Copy(PyObject* self, PyObject*) {
  return GuardedObject([&]() -> nb::object {
    const Source source(self);
    if (!source.by_core) {
      // A class with pickle methods of its own knows the state that no field has.
      if (source.deep_by_core) {
        internal::CheckFieldsAreState(source.header()->type_index, internal::StateUse::kCopy);
      }
      nb::object made = Reconstruct(self, nb::none());
      if (TakesStateInCpp(self)) RestorePython(made.ptr(), PythonStateOf(self));
      return made;
    }
    const nb::object state = PythonStateOf(self);
    nb::object made = source.Copy(self);
    RestoreParts(made, NewDict(), state);
    return made;
  });
}

/// Replaces the objects in the fields of a copy by deep copies.
void DeepenFields(nb::handle made, nb::handle memo) {
  const nb::object deepcopy = nb::module_::import_("copy").attr("deepcopy");
  const Source copy(made.ptr());
  const TainTypeRecord* record = TainGetTypeRecord(copy.header()->type_index);
  for (const TainFieldDef* field : AllFields(record)) {
    if ((field->access & kTainFieldRefers) != 0) continue;
    const nb::object held = Checked(GetFieldValue(copy.header(), field));
    const nb::object deep = deepcopy(held, memo);
    if (!deep.is(held) && SetFieldValue(copy.header(), field, deep.ptr()) != 0) {
      throw nb::python_error();
    }
  }
}

PyObject* DeepCopy(PyObject* self, PyObject* memo) {
  const Recursion level(" in copy.deepcopy()");
  if (!level) return nullptr;
  return GuardedObject([&]() -> nb::object {
    bool failed = false;
    nb::object by_core = nb::steal(GetHooks().deep_copy(self, memo, &failed));
    if (failed) throw nb::python_error();
    if (by_core.is_valid()) return by_core;
    const Source source(self);
    if (!source.deep_by_core) return Reconstruct(self, memo);
    nb::object made = source.Copy(self);
    // If the object is reached again through its fields, the copy is used.
    const nb::object id = nb::steal(PyLong_FromVoidPtr(self));
    if (!id.is_valid() || PyObject_SetItem(memo, id.ptr(), made.ptr()) != 0) {
      throw nb::python_error();
    }
    DeepenFields(made, memo);
    const nb::object state = PythonStateOf(self);
    if (!state.is_none()) {
      const nb::object deepcopy = nb::module_::import_("copy").attr("deepcopy");
      RestoreParts(made, NewDict(), deepcopy(state, nb::handle(memo)));
    }
    return made;
  });
}

PyMethodDef copy_methods[] = {
    {"__copy__", kLocked<&Copy>, METH_NOARGS, "__copy__($self, /)\n--\n\ncopy.copy."},
    {"__deepcopy__", kLocked<&DeepCopy>, METH_O,
     "__deepcopy__($self, memo, /)\n--\n\ncopy.deepcopy."}};

}  // namespace

void InitObjectCopy() { AddMethods(GetState().object_type, copy_methods); }

}  // namespace tain::bindings
