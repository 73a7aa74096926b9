// SPDX-License-Identifier: Apache-2.0
// Comparison and hash by fields; see value_ops.h.
//
// Two objects of one type index are compared field by field, as tuples of their Python values: so
// nested values follow Python's rules, and nesting is bounded by Python's recursion limit. Objects
// of different types are not equal.
#include "value_ops.h"

#include "class_table.h"
#include "field_descr.h"
#include "instance.h"
#include "recursion.h"

namespace tain::bindings {
namespace {

/// The values of the fields that lack `skip`; null with an error set.
PyObject* FieldTuple(TainObject* object, int64_t skip) noexcept {
  try {
    const auto& fields = AllFields(TainGetTypeRecord(object->type_index));
    std::vector<Own> values;
    for (const TainFieldDef* field : fields) {
      if ((field->info.flags & skip) != 0) continue;
      values.emplace_back(GetFieldValue(object, field));
      if (!values.back()) return nullptr;
    }
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(values.size()));
    for (size_t i = 0; tuple != nullptr && i < values.size(); ++i) {
      PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), values[i].release());
    }
    return tuple;
  } catch (nb::python_error& e) {
    e.restore();
    return nullptr;
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
}

PyObject* CompareFields(PyObject* a, PyObject* b, int op) noexcept {
  const Own left(FieldTuple(AsInstance(a)->object, kTainFieldNoCompare));
  const Own right(left ? FieldTuple(AsInstance(b)->object, kTainFieldNoCompare) : nullptr);
  const Recursion level(" in comparison");
  return right && level ? PyObject_RichCompare(left.get(), right.get(), op) : nullptr;
}

template <bool kOrdered>
PyObject* RichCompare(PyObject* a, PyObject* b, int op) {
  if (!kOrdered && op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  if (!IsInstance(b)) Py_RETURN_NOTIMPLEMENTED;
  if (ObjectOf(a) == nullptr || ObjectOf(b) == nullptr) return nullptr;
  if (AsInstance(a)->object->type_index != AsInstance(b)->object->type_index) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  return CompareFields(a, b, op);
}

Py_hash_t Hash(PyObject* self) {
  TainObject* object = ObjectOf(self);
  if (object == nullptr) return -1;
  const Own tuple(FieldTuple(object, kTainFieldNoHash | kTainFieldNoCompare));
  const Recursion level(" in hash()");
  return tuple && level ? PyObject_Hash(tuple.get()) : -1;
}

}  // namespace

void AddValueSlots(const TainTypeRecord* record, std::vector<PyType_Slot>* slots) {
  const int64_t flags = record->def.flags;
  if ((flags & (kTainTypeEq | kTainTypeOrder | kTainTypeHash)) == 0) return;
  const richcmpfunc compare =
      (flags & kTainTypeOrder) != 0 ? &RichCompare<true> : &RichCompare<false>;
  const hashfunc hash = (flags & kTainTypeHash) != 0 ? &Hash : &PyObject_HashNotImplemented;
  slots->push_back({Py_tp_richcompare, reinterpret_cast<void*>(compare)});
  slots->push_back({Py_tp_hash, reinterpret_cast<void*>(hash)});
}

}  // namespace tain::bindings
