// SPDX-License-Identifier: Apache-2.0
// The methods and slots of tain.Object, the Python base class of every registered type.
#include "classes/class_parts.h"

#include <iterator>
#include <string>
#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/protocols.h"
#include "classes/constructor.h"
#include "classes/pickle.h"
#include "classes/visible_class.h"
#include "objects/class_table.h"
#include "objects/in_flight.h"
#include "objects/instance.h"
#include "objects/moved.h"
#include "tain/internal/host_repr.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

/// The repr by fields: with the name of the class for Python subclasses, with the key for generated
/// classes.
PyObject* Repr(PyObject* self) {
  TainObject* object = ObjectOrNull(self);
  if (object == nullptr) return PyUnicode_FromFormat("<%s: empty>", TypeName(self));
  const TainAny value = internal::ViewOfObject(object);
  const InFlight in_flight(&value, 1);
  return GuardedObject([&] {
    const std::string name = NameInRepr(Py_TYPE(self));
    return Text(internal::ReprOfObject(object, name));
  });
}

PyObject* SameAs(PyObject* self, PyObject* other) {
  if (!IsWrapper(other)) Py_RETURN_FALSE;
  const TainObject* a = ObjectOrNull(self);
  return PyBool_FromLong(a != nullptr && a == ObjectOrNull(other));
}

PyObject* Move(PyObject* self, PyObject*) { return MoveOut(self); }

PyObject* Handle(PyObject* self, PyObject*) { return PyLong_FromVoidPtr(ObjectOrNull(self)); }

/// Calls super(tain.Object, cls).__init_subclass__(**kwargs), so that later mixins in the MRO are
/// told of the class too.
bool CallNextInitSubclass(PyObject* cls, PyObject* kwargs) {
  const Own super(PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&PySuper_Type),
                                               reinterpret_cast<PyObject*>(GetState().object_type),
                                               cls, nullptr));
  const Own next(super ? PyObject_GetAttrString(super.get(), "__init_subclass__") : nullptr);
  const Own none(PyTuple_New(0));
  if (!next || !none) return false;
  const Own result(PyObject_Call(next.get(), none.get(), kwargs));
  return static_cast<bool>(result);
}

PyObject* InitSubclass(PyObject* cls, PyObject* args, PyObject* kwargs) {
  if (PyTuple_GET_SIZE(args) != 0) {
    return PyErr_Format(PyExc_TypeError, "__init_subclass__() takes no positional arguments");
  }
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  if (type->tp_dealloc != &InstanceDealloc) {
    if (AdmitSubclass(type) != 0) return nullptr;
    if (type->tp_new == &InstanceNew && type->tp_init == &InstanceInit) {
      type->tp_vectorcall = &ConstructVectorcall;
    }
  }
  if (!CallNextInitSubclass(cls, kwargs)) return nullptr;
  Py_RETURN_NONE;
}

PyObject* GetClass(PyObject* self, void*) {
  return Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(self)));
}

int SetClass(PyObject* self, PyObject* value, void*) {
  if (value == nullptr || !PyType_Check(value)) {
    PyErr_SetString(PyExc_TypeError, "__class__ must be set to a class");
    return -1;
  }
  auto* type = reinterpret_cast<PyTypeObject*>(value);
  if (GeneratedBase(type) == nullptr || GeneratedBase(type) != GeneratedBase(Py_TYPE(self))) {
    PyErr_Format(PyExc_TypeError,
                 "__class__ assignment: %s and %s do not stand for the same C++ type",
                 TypeName(self), type->tp_name);
    return -1;
  }
  if (type->tp_dealloc != &InstanceDealloc && AdmitSubclass(type) != 0) return -1;
  const Own descr(
      PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyBaseObject_Type), "__dict__"));
  PyObject* setter = descr ? PyMapping_GetItemString(descr.get(), "__class__") : nullptr;
  if (setter == nullptr) return -1;
  const int code = Py_TYPE(setter)->tp_descr_set(setter, self, value);
  Py_DECREF(setter);
  if (code == 0) NoteNewClass(AsInstance(self));
  return code;
}

PyMethodDef methods[] = {
    {"same_as", kLocked<&SameAs>, METH_O,
     "same_as($self, other, /)\n--\n\nWhether both are the same C++ "
     "object.\n\nReturns\n-------\nbool"},
    {"_move", kLocked<&Move>, METH_NOARGS,
     "_move($self, /)\n--\n\nMoves the reference into a call: `f(x._move())`. Afterwards the "
     "object is "
     "empty.\n\nRaises\n------\nTypeError\n    If the object has Python state that would be lost, "
     "or a call or a buffer uses it."},
    {"__chandle__", kLocked<&Handle>, METH_NOARGS,
     "__chandle__($self, /)\n--\n\nAddress of the C++ object; 0 if "
     "empty.\n\nReturns\n-------\nint"},
    {"__init_handle_by_constructor__", MethodPointer(kLocked<&InitHandleByConstructor>),
     METH_FASTCALL | METH_KEYWORDS,
     "__init_handle_by_constructor__($self, f, /, *args, **kwargs)\n--\n\nMakes this object the "
     "wrapper of what `f(*args, **kwargs)` returns."},
    {"__init_subclass__", MethodPointer(kLocked<&InitSubclass>),
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "__init_subclass__($type, /, **kwargs)\n--\n\nPrepares a Python subclass."},
    {"__reduce__", kLocked<&ReduceWrapper>, METH_NOARGS,
     "__reduce__($self, /)\n--\n\nPickles the fields and the Python state."},
    {"__setstate__", kLocked<&RestoreWrapper>, METH_O,
     "__setstate__($self, state, /)\n--\n\nRestores what __reduce__ gave."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef class_getter = {"__class__", &GetClass, kLocked<&SetClass>, "the object's class",
                            nullptr};

PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Instance, weaklist), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

}  // namespace

std::vector<PyType_Slot> ObjectSlots() {
  auto* all = new std::vector<PyMethodDef>(std::begin(methods), std::end(methods));  // for ever
  all->pop_back();  // the null entry
  for (const PyMethodDef* method = protocol_methods;; ++method) {
    all->push_back(*method);
    if (method->ml_name == nullptr) break;
  }
  static PyGetSetDef getset[] = {class_getter, replaced_getter, {}};
  return {{Py_tp_doc, const_cast<char*>("Base class of every registered C++ type.")},
          Slot(Py_tp_dealloc, &InstanceDealloc),
          Slot(Py_tp_new, &InstanceNew),
          Slot(Py_tp_init, &InstanceInit),
          Slot(Py_tp_repr, kLocked<&Repr>),
          {Py_tp_methods, all->data()},
          {Py_tp_getset, getset},
          {Py_tp_members, members},
          {0, nullptr}};
}

}  // namespace tain::bindings
