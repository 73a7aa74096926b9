// SPDX-License-Identifier: Apache-2.0
// Constructors of containers: Array(iterable), List(iterable), Shape(iterable), Map(...), Dict(...).
//
// As with list and dict, __new__ makes an empty List or Dict and __init__ fills it, so a subclass
// that does not call super().__init__() has an empty container. __init__ makes an immutable
// container, and can do so only once.
#include "containers/class_parts.h"

#include "base/bridge_lock.h"
#include "objects/attach.h"
#include "values/container_convert.h"
#include "values/container_lookup.h"

namespace tain::bindings {
namespace {

/// Returns a new container made of the argument of a constructor (null for none); null with an
/// error set.
TainObject* MakeContainer(int32_t type_index, PyObject* source) noexcept {
  if (type_index == kTainShape && source != nullptr) return ShapeFromIterable(source);
  if (internal::IsSeq(type_index) && source != nullptr) {
    return SeqFromIterable(source, type_index);
  }
  Held made = HoldMade([&] {
    if (type_index == kTainShape) return internal::ShapeNew(nullptr, 0);
    return internal::IsSeq(type_index) ? internal::SeqNew(type_index, 0)
                                       : internal::MapNew(type_index, 0);
  });
  if (!made || (source != nullptr && !UpdateMap(HeaderOf(made), source, true))) return nullptr;
  return ReleaseHeld(made);
}

/// Checks the number of arguments, and that only mappings take keywords.
bool CheckArguments(int32_t type_index, Py_ssize_t positional, Py_ssize_t keywords) noexcept {
  const char* name = ContainerName(type_index);
  if (keywords > 0 && !internal::IsMap(type_index)) {
    PyErr_Format(PyExc_TypeError, "%s() takes no keyword arguments", name);
    return false;
  }
  return CheckCount(name, positional, 0, 1);
}

int32_t IndexOfType(PyTypeObject* type) noexcept {
  const ClassRecord* record = RecordOfType(type);
  return record == nullptr ? kTainObject : record->type_index;
}

PyObject* ContainerNew(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  Own self(GetState().object_type->tp_new(type, args, kwargs));
  if (!self) return nullptr;
  const int32_t index = IndexOfType(type);
  if (internal::IsMutableContainer(index)) {
    TainObject* empty = MakeContainer(index, nullptr);
    if (empty == nullptr) return nullptr;
    if (AttachFresh(self.get(), empty, "__new__()") != 0) return nullptr;
  }
  return self.release();
}

/// Adds entries that are given by keyword.
bool AddKeywords(TainObject* map, PyObject* kwargs) noexcept {
  return kwargs == nullptr || PyDict_GET_SIZE(kwargs) == 0 || UpdateMap(map, kwargs);
}

/// The __init__ of List and Dict, which have an object already.
int Refill(PyObject* self, PyObject* source, PyObject* kwargs) noexcept {
  TainObject* object = ObjectOf(self);
  if (object == nullptr) return -1;
  const Held held = Hold(object);
  if (object->type_index == kTainDict) {
    if (source != nullptr && !UpdateMap(object, source)) return -1;
    return AddKeywords(object, kwargs) ? 0 : -1;
  }
  internal::SeqClear(object);
  return source == nullptr || ExtendSeq(object, source) ? 0 : -1;
}

/// Always returns -1.
int SetImmutableError(int32_t type_index) noexcept {
  PyErr_Format(PyExc_TypeError, "%s is immutable: __init__ must not be called again",
               ContainerName(type_index));
  return -1;
}

int ContainerInit(PyObject* self, PyObject* args, PyObject* kwargs) {
  const int32_t index = IndexOfType(Py_TYPE(self));
  const Py_ssize_t positional = PyTuple_GET_SIZE(args);
  const Py_ssize_t keywords = kwargs == nullptr ? 0 : PyDict_GET_SIZE(kwargs);
  if (!CheckArguments(index, positional, keywords)) return -1;
  PyObject* source = positional == 0 ? nullptr : PyTuple_GET_ITEM(args, 0);
  if (const TainObject* present = ObjectOrNull(self)) {
    if (internal::IsMutableContainer(present->type_index)) return Refill(self, source, kwargs);
    return SetImmutableError(index);
  }
  Held made = StealHeld(MakeContainer(index, source));
  if (!made || !AddKeywords(HeaderOf(made), kwargs)) return -1;
  if (!IsEmpty(self)) return SetImmutableError(index);  // the conversion called __init__ again
  return AttachFresh(self, ReleaseHeld(made), "__init__()");
}

/// Whether the constructor returns its argument, as tuple(t) returns t.
bool IsItself(PyObject* cls, int32_t type_index, PyObject* source) noexcept {
  return !internal::IsMutableContainer(type_index) &&
         reinterpret_cast<PyObject*>(Py_TYPE(source)) == cls && !IsEmpty(source);
}

const char* DocOf(int32_t type_index) noexcept {
  switch (type_index) {
    case kTainArray:
      return "Array(iterable=(), /)\n--\n\nAn immutable sequence of any values.\n\n"
             "Compares with, and hashes like, a tuple of the same elements.";
    case kTainList:
      return "List(iterable=(), /)\n--\n\nA mutable sequence of any values, shared with C++.\n\n"
             "Has all methods of list.";
    case kTainMap:
      return "An immutable mapping of any hashable keys to any values, in order of insertion.\n\n"
             "Map(), Map(mapping), Map(pairs) or Map(name=value, ...), as with dict. Numbers of "
             "the same value are the same key; registered objects are the same key if they are "
             "equal.";
    case kTainDict:
      return "A mutable mapping of any hashable keys to any values, shared with C++.\n\n"
             "Dict(), Dict(mapping), Dict(pairs) or Dict(name=value, ...); has all methods of "
             "dict. "
             "Numbers of the same value are the same key; registered objects are the same key if "
             "they "
             "are equal.";
    default:
      return "Shape(iterable=(), /)\n--\n\nAn immutable sequence of 64-bit ints, like a tuple.";
  }
}

}  // namespace

PyObject* ContainerVectorcall(PyObject* cls, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames) {
  const Py_ssize_t positional = PyVectorcall_NARGS(nargsf);
  const Py_ssize_t keywords = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  const int32_t index = IndexOfType(reinterpret_cast<PyTypeObject*>(cls));
  if (!CheckArguments(index, positional, keywords)) return nullptr;
  if (positional == 1 && keywords == 0 && IsItself(cls, index, args[0])) return Py_NewRef(args[0]);
  Held made = StealHeld(MakeContainer(index, positional == 0 ? nullptr : args[0]));
  if (!made) return nullptr;
  for (Py_ssize_t i = 0; i < keywords; ++i) {
    if (!SetEntry(HeaderOf(made), PyTuple_GET_ITEM(kwnames, i), args[positional + i])) {
      return nullptr;
    }
  }
  return Wrap(ReleaseHeld(made));
}

void AddBuildSlots(int32_t type_index, std::vector<PyType_Slot>* slots) {
  SetSlots(slots,
           {Slot(Py_tp_new, kLocked<&ContainerNew>), Slot(Py_tp_init, kLocked<&ContainerInit>),
            Slot(Py_tp_doc, const_cast<char*>(DocOf(type_index)))});
}

}  // namespace tain::bindings
