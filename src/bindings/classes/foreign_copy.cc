// SPDX-License-Identifier: Apache-2.0
// copy and deepcopy by `__ffi_shallow_copy__`; see foreign_copy.h.
//
// The library copies the C++ object; this file copies the class, the `__dict__` and the slots of a
// Python subclass. A deep copy then replaces the objects in the fields of the copy by deep copies.
// Types without the attribute, and Python subclasses with their own pickle methods, are copied by
// pickling.
#include "classes/foreign_copy.h"

#include <string>

#include "base/error.h"
#include "base/recursion.h"
#include "calls/call_values.h"
#include "classes/field_descr.h"
#include "classes/object_state.h"
#include "objects/class_table.h"
#include "objects/instance.h"

namespace tain::bindings {
namespace {

/// Returns the function that copies objects of exactly this type, or null.
TainObject* CopyFunctionOf(int32_t type_index) noexcept {
  const TainByteArray name = internal::Bytes("__ffi_shallow_copy__");
  const TainTypeAttrColumn* column = TainGetTypeAttrColumn(&name);
  if (column == nullptr) return nullptr;
  const int64_t at = int64_t{type_index} - column->begin_index;
  if (at < 0 || at >= column->size || column->data[at].type_index != kTainFunction) return nullptr;
  return column->data[at].v_obj;
}

/// Copies as the module copy does with __reduce_ex__.
nb::object Reconstruct(nb::handle self, nb::handle memo) {
  const nb::object parts = self.attr("__reduce_ex__")(4);
  return nb::module_::import_("copy").attr("_reconstruct")(self, memo, *parts);
}

/// Returns a new object of the same class, without the Python state.
nb::object CopyByFunction(PyObject* self, TainObject* object, TainObject* function) {
  TainAny arg{};
  arg.type_index = object->type_index;
  arg.v_obj = object;
  TainAny result{};
  if (CallWithValues(function, &arg, 1, &result) != 0) throw nb::python_error();
  const Any made = Any::Steal(result);
  if (result.type_index != arg.type_index) {
    PyErr_Format(PyExc_TypeError, "%s: __ffi_shallow_copy__ returned %s, expected %s",
                 TypeName(self), internal::TypeNameOf(result).c_str(),
                 internal::TypeNameOf(arg).c_str());
    throw nb::python_error();
  }
  internal::IncRef(result.v_obj);
  return WrapperFor(Py_TYPE(self), result.v_obj);
}

/// The object of `self` and the function that copies it; null if it is copied by pickling.
struct Source {
  explicit Source(PyObject* self) {
    TainObject* found = ObjectOf(self);
    if (found == nullptr) throw nb::python_error();
    object = internal::RefAccess::Share<Object>(found);
    if (PicklesAsTain(Py_TYPE(self))) function = CopyFunctionOf(found->type_index);
  }
  TainObject* header() const noexcept { return internal::RefAccess::Header(object); }
  ObjectPtr<Object> object;
  TainObject* function = nullptr;
};

PyObject* Copy(PyObject* self, PyObject*) {
  return GuardedObject([&]() -> nb::object {
    const Source source(self);
    if (source.function == nullptr) return Reconstruct(self, nb::none());
    const nb::object state = PythonStateOf(self);
    nb::object made = CopyByFunction(self, source.header(), source.function);
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
    const nb::object held = nb::steal(GetFieldValue(copy.header(), field));
    if (!held.is_valid()) throw nb::python_error();
    const nb::object deep = deepcopy(held, memo);
    if (!deep.is(held) && SetFieldValue(copy.header(), field, deep.ptr()) != 0) {
      throw nb::python_error();
    }
  }
}

PyObject* DeepCopy(PyObject* self, PyObject* memo) {
  const Recursion level(" in a deep copy");
  if (!level) return nullptr;
  return GuardedObject([&]() -> nb::object {
    bool failed = false;
    nb::object by_core = nb::steal(GetState().deep_copy(self, memo, &failed));
    if (failed) throw nb::python_error();
    if (by_core.is_valid()) return by_core;
    const Source source(self);
    if (source.function == nullptr) return Reconstruct(self, memo);
    nb::object made = CopyByFunction(self, source.header(), source.function);
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
    {"__copy__", &Copy, METH_NOARGS, "__copy__($self, /)\n--\n\ncopy.copy."},
    {"__deepcopy__", &DeepCopy, METH_O, "__deepcopy__($self, memo, /)\n--\n\ncopy.deepcopy."}};

}  // namespace

void AddForeignCopy(PyTypeObject* type, const TainTypeRecord* record) {
  if (CopyFunctionOf(record->info->type_index) == nullptr) return;
  AddMethods(type, copy_methods);
}

}  // namespace tain::bindings
