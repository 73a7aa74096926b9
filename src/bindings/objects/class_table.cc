// SPDX-License-Identifier: Apache-2.0
// The Python class of each type index; see class_table.h.
#include "objects/class_table.h"

#include "base/hooks.h"
#include "base/tie.h"
#include "objects/noted_classes.h"
#include "objects/state.h"

namespace tain::bindings {
ClassRecord* EnterClass(const ClassRecord& made) noexcept {
  ClassTable& classes = GetObjectsState().classes;
  if (ClassRecord* known = classes.Find(made.type_index)) return known;
  try {
    auto* record = new ClassRecord(made);
    record->made = {made.generated, made.own};
    for (PyTypeObject* type : {made.generated, made.own}) SetRecordOf(type, record);
    SetRecordOf(made.type, record);
    classes.Enter(made.type_index, record);
    return record;
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    return nullptr;
  }
}

void SetRecordOf(PyTypeObject* type, ClassRecord* record) {
  GetObjectsState().class_of_type[type] = record;
  ForgetRecordOf(type);
}

ClassRecord* RecordOf(int32_t type_index) noexcept {
  ClassRecord* known = GetObjectsState().classes.Find(type_index);
  return known != nullptr ? known : GetHooks().build_class(type_index);
}

PyTypeObject* ClassOfSlow(int32_t type_index) noexcept {
  const ClassRecord* record = RecordOf(type_index);
  if (record == nullptr) return nullptr;
  return record->type;
}

ClassRecord* RecordOfTypeSlow(PyTypeObject* type) noexcept {
  if (ClassRecord* noted = NotedRecordOf(type)) return noted;
  const uint32_t before = VersionOf(type);
  const auto& map = GetObjectsState().class_of_type;
  // A registered class may stand before the generated class of a child in the MRO, so the record is
  // that of the class itself or of its generated class.
  for (PyTypeObject* known : {type, GeneratedBase(type)}) {
    if (known == nullptr) return nullptr;
    ClassRecord* record = CachedRecordOf(known);
    if (record == nullptr) {
      const auto found = map.find(known);
      if (found == map.end()) continue;
      ClassCacheFor(known).store(&*found, std::memory_order_release);  // it is never erased
      record = found->second;
    }
    if (known != type) NoteRecordOf(type, record, before);
    return record;
  }
  return nullptr;
}

PyObject* ClassOfStaticIndex(int32_t type_index) noexcept {
  switch (type_index) {
    case kTainNone: return reinterpret_cast<PyObject*>(Py_TYPE(Py_None));
    case kTainInt:
    case kTainBigInt: return reinterpret_cast<PyObject*>(&PyLong_Type);
    case kTainBool: return reinterpret_cast<PyObject*>(&PyBool_Type);
    case kTainFloat: return reinterpret_cast<PyObject*>(&PyFloat_Type);
    case kTainRawStr:
    case kTainSmallStr:
    case kTainStr: return reinterpret_cast<PyObject*>(&PyUnicode_Type);
    case kTainByteArrayPtr:
    case kTainSmallBytes:
    case kTainBytes: return reinterpret_cast<PyObject*>(&PyBytes_Type);
    case kTainError: return GetState().error_class;
    case kTainOpaquePyObject: return reinterpret_cast<PyObject*>(&PyBaseObject_Type);
    default: return nullptr;
  }
}

nb::object ClassObject(int32_t type_index) {
  if (PyObject* fixed = ClassOfStaticIndex(type_index)) return nb::borrow(fixed);
  if (type_index < kTainStaticObjectBegin) return nb::object();
  PyTypeObject* type = ClassOf(type_index);
  if (type == nullptr) throw nb::python_error();
  return nb::borrow(nb::handle(type));
}

}  // namespace tain::bindings
