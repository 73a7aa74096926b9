// SPDX-License-Identifier: Apache-2.0
// The common methods of Map and Dict, which read as those of Python's dict.
#include "containers/map.h"

#include "base/bridge_lock.h"
#include "containers/class_parts.h"
#include "containers/compare.h"
#include "containers/iter.h"
#include "values/container_convert.h"
#include "values/container_lookup.h"

namespace tain::bindings {
namespace {

/// Calls __missing__ of a Python subclass for a missing key; KeyError if there is no such method.
PyObject* CallMissing(PyObject* self, PyObject* key) noexcept {
  if (Py_TYPE(self)->tp_dealloc != &InstanceDealloc) {
    const Own method(
        PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(self)), "__missing__"));
    if (method) return PyObject_CallFunctionObjArgs(method.get(), self, key, nullptr);
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return nullptr;
    PyErr_Clear();
  }
  SetKeyError(key);
  return nullptr;
}

PyObject* Subscript(PyObject* self, PyObject* key) {
  const TainObject* map = MapReceiver(self);
  if (map == nullptr) return nullptr;
  if (const internal::MapItem* item = FindExpected(map, key)) {
    return ElementToPython(map, ElementRole::kValue, item->value);
  }
  Any value;
  const int found = LookUpKey(self, key, &value);
  if (TAIN_LIKELY(found > 0)) return TakenToPython(self, ElementRole::kValue, std::move(value));
  return found < 0 ? nullptr : CallMissing(self, key);
}

PyObject* Get(PyObject* self, PyObject* const* args, Py_ssize_t nargs) {
  if (!CheckCount("get", nargs, 1, 2)) return nullptr;
  Any value;
  const int found = LookUpKey(self, args[0], &value);
  if (found > 0) return TakenToPython(self, ElementRole::kValue, std::move(value));
  return found < 0 ? nullptr : Py_NewRef(nargs == 2 ? args[1] : Py_None);
}

PyObject* Iter(PyObject* self) { return NewMapIter(self, MapPart::kKeys, false); }
PyObject* Reversed(PyObject* self, PyObject*) { return NewMapIter(self, MapPart::kKeys, true); }

/// nb_or: makes a container of the type of the left operand, or of the right operand if the left
/// one is a dict.
PyObject* Or(PyObject* left, PyObject* right) {
  const TainObject* kind = ContainerOf<&internal::IsMap>(left);
  if (kind == nullptr) kind = ContainerOf<&internal::IsMap>(right);
  for (PyObject* side : {left, right}) {
    if (ContainerOf<&internal::IsMap>(side) == nullptr && !PyDict_Check(side)) {
      Py_RETURN_NOTIMPLEMENTED;
    }
  }
  if (kind == nullptr) Py_RETURN_NOTIMPLEMENTED;
  const int32_t type_index = kind->type_index;
  Held made = HoldMade([&] {
    const TainObject* source = ExactContainerOf<&internal::IsMap>(left);
    return source != nullptr ? internal::MapCopy(source, type_index)
                             : internal::MapNew(type_index, 0);
  });
  if (!made) return nullptr;
  OfSameType(kind, HeaderOf(made));
  if (internal::MapSize(HeaderOf(made)) == 0 && !UpdateMap(HeaderOf(made), left)) return nullptr;
  if (!UpdateMap(HeaderOf(made), right)) return nullptr;
  return Wrap(ReleaseHeld(made));
}

}  // namespace

int LookUpKey(PyObject* self, PyObject* key, Any* value) noexcept {
  LookupKey wanted;
  if (!wanted.Read(key)) return -1;
  TainObject* map = MapReceiver(self);
  return map == nullptr ? -1 : FindValue(map, wanted.view(), value);
}

Py_ssize_t MapLength(PyObject* self) {
  const TainObject* map = MapReceiver(self);
  return map == nullptr ? -1 : static_cast<Py_ssize_t>(internal::MapSize(map));
}

int MapContains(PyObject* self, PyObject* key) {
  Any value;
  return LookUpKey(self, key, &value);
}

void AddMapMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods) {
  SetSlots(slots,
           {Slot(Py_tp_hash, kLocked<&MapHash>), Slot(Py_mp_length, kLocked<&MapLength>),
            Slot(Py_mp_subscript, kLocked<&Subscript>), Slot(Py_sq_contains, kLocked<&MapContains>),
            Slot(Py_nb_or, kLocked<&Or>), Slot(Py_tp_iter, kLocked<&Iter>),
            Slot(Py_tp_richcompare, kLocked<&MapRichCompare>)});
  methods->insert(methods->end(),
                  {{"get", MethodPointer(kLocked<&Get>), METH_FASTCALL,
                    "get($self, key, default=None, /)\n--\n\nThe value of a key, or a default."},
                   {"keys", kLocked<&MapKeys>, METH_NOARGS,
                    "keys($self, /)\n--\n\nA set-like view of the keys."},
                   {"values", kLocked<&MapValues>, METH_NOARGS,
                    "values($self, /)\n--\n\nA view of the values."},
                   {"items", kLocked<&MapItems>, METH_NOARGS,
                    "items($self, /)\n--\n\nA set-like view of the (key, value) pairs."},
                   {"__reversed__", kLocked<&Reversed>, METH_NOARGS,
                    "__reversed__($self, /)\n--\n\nAn iterator over the keys in reverse order."},
                   {"__class_getitem__", &Py_GenericAlias, METH_O | METH_CLASS,
                    "__class_getitem__($type, item, /)\n--\n\n"
                    "Supports annotations such as `Map[str, int]`."}});
}

}  // namespace tain::bindings
