// SPDX-License-Identifier: Apache-2.0
// `self.__init_handle_by_constructor__(f, *args, **kwargs)`: fills a wrapper with the object that a
// function makes, as Apache TVM's classes do.
#include "classes/class_parts.h"

#include "base/state.h"
#include "classes/make_object.h"
#include "objects/attach.h"
#include "objects/instance.h"
#include "objects/state.h"
#include "values/container_access.h"

namespace tain::bindings {
namespace {

/// Returns the record of a class if it is the class of a key, and not derived from one or a
/// container, which is made of Python values; null for any other object.
const ClassRecord* RecordOfClassItself(PyObject* object) noexcept {
  if (!PyType_Check(object)) return nullptr;
  const auto& known = GetObjectsState().class_of_type;
  const auto found = known.find(reinterpret_cast<PyTypeObject*>(object));
  if (found == known.end() || found->second.load()->type_index < kTainDynObjectBegin)
    return nullptr;
  return found->second;
}

}  // namespace

PyObject* InitHandleByConstructor(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                                  PyObject* kwnames) {
  if (nargs < 1) {
    return PyErr_Format(PyExc_TypeError,
                        "__init_handle_by_constructor__(f, *args, **kwargs): f is missing");
  }
  if (Py_TYPE(self) == GetState().function_type) {
    return PyErr_Format(PyExc_TypeError,
                        "Function.__init_handle_by_constructor__(): a function stays what it is: a "
                        "call of it may be under way");
  }
  const TainObject* present = ContainerOf<&IsContainerIndex>(self);
  if (present != nullptr && !internal::IsMutableContainer(present->type_index)) {
    return PyErr_Format(PyExc_TypeError,
                        "%s is immutable: __init_handle_by_constructor__ must not be called again",
                        TypeName(self));
  }
  if (const ClassRecord* named = RecordOfClassItself(args[0])) {
    // A registered class stands for the function that makes its objects; calling the class would
    // call this __init__ again.
    TainObject* object =
        ConstructBy(NamedConstructorOf(named->record), named, args + 1, nargs - 1, kwnames);
    if (object == nullptr) return nullptr;
    const ClassRecord* record = RecordOfWrapper(self);
    if (record == nullptr) {
      internal::DecRef(object);
      return nullptr;
    }
    const TainAny made = internal::ViewOfObject(object);
    if (ObjectFrom(record, made) == nullptr) return nullptr;
    if (AttachFresh(self, object, "__init_handle_by_constructor__()") != 0) return nullptr;
    Py_RETURN_NONE;
  }
  const Own called(PyObject_Vectorcall(args[0], args + 1, static_cast<size_t>(nargs - 1), kwnames));
  if (!called) return nullptr;
  // The call made another wrapper; its object moves to `self`.
  const ClassRecord* record = RecordOfWrapper(self);
  if (record == nullptr) return nullptr;
  const TainObject* made = IsWrapper(called.get()) ? ObjectOrNull(called.get()) : nullptr;
  if (made == nullptr || TainTypeIsInstance(made->type_index, record->type_index) == 0) {
    return PyErr_Format(PyExc_TypeError, "%s: the constructor returned %s, expected %s",
                        TypeName(self), TypeName(called.get()), KeyOf(record->record).c_str());
  }
  // A wrapper that was made by the call has the class of new wrappers and no state.
  PyTypeObject* type = Py_TYPE(called.get());
  const bool is_new_wrapper =
      type->tp_dealloc == &InstanceDealloc || type == ClassOf(made->type_index);
  if (Py_REFCNT(called.get()) != 1 || !is_new_wrapper) {
    return PyErr_Format(PyExc_TypeError,
                        "%s: the constructor returned an object that already has a Python object",
                        TypeName(self));
  }
  TainObject* object = Detach(AsInstance(called.get()));
  if (AttachFresh(self, object, "__init_handle_by_constructor__()") != 0) return nullptr;
  Py_RETURN_NONE;
}

}  // namespace tain::bindings
