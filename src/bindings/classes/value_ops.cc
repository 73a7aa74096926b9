// SPDX-License-Identifier: Apache-2.0
// Comparison and hash by fields, for types registered with eq(), order() or value_hash().
//
// The core computes equality and hash, as for keys of Map and Dict. For order, two objects of one
// type are compared as tuples of the Python values of their fields. Objects of different types are
// not equal.
#include "classes/class_parts.h"

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/recursion.h"
#include "base/type_keys.h"
#include "classes/field_descr.h"
#include "objects/class_table.h"
#include "objects/instance.h"
#include "tain/internal/value_ops.h"
#include "values/container_access.h"

namespace tain::bindings {
namespace {

/// Returns the values of the compared fields as a tuple; null with an error set.
PyObject* FieldTuple(TainObject* object) noexcept {
  return Guarded<PyObject*>(nullptr, [&]() -> PyObject* {
    const auto& fields = AllFields(TainGetTypeRecord(object->type_index));
    std::vector<Own> values;
    for (const TainFieldDef* field : fields) {
      if ((field->info.flags & kTainFieldNoCompare) != 0) continue;
      values.emplace_back(GetFieldValue(object, field));
      if (!values.back()) return nullptr;
    }
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(values.size()));
    for (size_t i = 0; tuple != nullptr && i < values.size(); ++i) {
      PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), values[i].release());
    }
    return tuple;
  });
}

PyObject* OrderFields(PyObject* a, PyObject* b, int op) noexcept {
  const Held left_object = Hold(ObjectOf(a));
  const Held right_object = Hold(ObjectOf(b));
  if (left_object == right_object) return PyBool_FromLong(op == Py_LE || op == Py_GE);
  const Own left(FieldTuple(HeaderOf(left_object)));
  const Own right(left ? FieldTuple(HeaderOf(right_object)) : nullptr);
  const Recursion level(" in comparison");
  return right && level ? PyObject_RichCompare(left.get(), right.get(), op) : nullptr;
}

PyObject* CompareFields(PyObject* a, PyObject* b, int op) noexcept {
  const int equal =
      Guarded(-1, [&] { return internal::FieldsEqual(ObjectOf(a), ObjectOf(b)) ? 1 : 0; });
  return EqualityResult(equal, op);
}

template <bool kOrdered>
PyObject* RichCompare(PyObject* a, PyObject* b, int op) {
  if (!kOrdered && op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  if (!IsWrapper(b)) Py_RETURN_NOTIMPLEMENTED;
  const TainObject* left = ObjectOf(a);
  const TainObject* right = left == nullptr ? nullptr : ObjectOf(b);
  if (right == nullptr) return nullptr;
  if (left->type_index != right->type_index) Py_RETURN_NOTIMPLEMENTED;
  return op == Py_EQ || op == Py_NE ? CompareFields(a, b, op) : OrderFields(a, b, op);
}

Py_hash_t Hash(PyObject* self) {
  TainObject* object = ObjectOf(self);
  if (object == nullptr) return -1;
  return Guarded<Py_hash_t>(-1, [&] { return internal::FieldsHash(object); });
}

// ---------------------------------------------------------------- types of other libraries

/// Whether a column of the type table has code of another library for a type: a C function, or a
/// Function that TainFunctionCreate made. The columns of tain's types have Functions of tain.
bool HasForeignCode(const char* column, int32_t type_index) noexcept {
  const TainAny* code = TypeAttr(type_index, column);
  if (code == nullptr) return false;
  return code->type_index == kTainOpaquePtr ||
         (code->type_index == kTainFunction && TainFunctionReleasesGil(code->v_obj) != 0);
}

PyObject* CompareAsKeys(PyObject* a, PyObject* b, int op) {
  if ((op != Py_EQ && op != Py_NE) || !IsWrapper(b)) Py_RETURN_NOTIMPLEMENTED;
  const Held left = Hold(ObjectOf(a));
  const Held right = left ? Hold(ObjectOf(b)) : Held();
  if (!right) return nullptr;
  if (HeaderOf(left)->type_index != HeaderOf(right)->type_index) Py_RETURN_NOTIMPLEMENTED;
  const int equal = Guarded(-1, [&] {
    return internal::AnyEqual(internal::ViewOfObject(HeaderOf(left)),
                              internal::ViewOfObject(HeaderOf(right)))
               ? 1
               : 0;
  });
  return EqualityResult(equal, op);
}

Py_hash_t HashAsKey(PyObject* self) {
  const Held object = Hold(ObjectOf(self));
  if (!object) return -1;
  return Guarded<Py_hash_t>(-1, [&] {
    const auto hash =
        static_cast<Py_hash_t>(internal::AnyHash(internal::ViewOfObject(HeaderOf(object))));
    return hash == -1 ? -2 : hash;
  });
}

}  // namespace

void AddValueSlots(const TainTypeRecord* record, std::vector<PyType_Slot>* slots) {
  const int64_t flags = record->def.flags;
  if ((flags & (kTainTypeEq | kTainTypeOrder | kTainTypeHash)) == 0) {
    // Another library may have said with its own code what its keys are: Python agrees with it.
    const int32_t index = record->info->type_index;
    if (index < kTainDynObjectBegin || !HasForeignCode("__any_equal__", index)) return;
    const hashfunc hash =
        HasForeignCode("__any_hash__", index) ? kLocked<&HashAsKey> : &PyObject_HashNotImplemented;
    return SetSlots(slots,
                    {Slot(Py_tp_richcompare, kLocked<&CompareAsKeys>), Slot(Py_tp_hash, hash)});
  }
  const richcmpfunc compare =
      (flags & kTainTypeOrder) != 0 ? kLocked<&RichCompare<true>> : kLocked<&RichCompare<false>>;
  const hashfunc hash =
      (flags & kTainTypeHash) != 0 ? kLocked<&Hash> : &PyObject_HashNotImplemented;
  SetSlots(slots, {Slot(Py_tp_richcompare, compare), Slot(Py_tp_hash, hash)});
}

}  // namespace tain::bindings
