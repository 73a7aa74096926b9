// SPDX-License-Identifier: Apache-2.0
// The Python class of each type index. A class is made when it is first needed.
#pragma once

#include <atomic>
#include <vector>

#include "objects/state.h"

namespace tain::bindings {

/// The class of new wrappers of a type. Threads without a GIL read it while register_object
/// replaces it. No class of the table is ever freed.
class PresentClass {
 public:
  PresentClass() = default;
  PresentClass(const PresentClass& other) noexcept : type_(other) {}
  PresentClass& operator=(const PresentClass& other) noexcept {
    return *this = static_cast<PyTypeObject*>(other);
  }
  PresentClass& operator=(PyTypeObject* type) noexcept {
    type_.store(type, std::memory_order_release);
    return *this;
  }
  operator PyTypeObject*() const noexcept {  // NOLINT: the same class
    return type_.load(std::memory_order_acquire);
  }
  PyTypeObject* operator->() const noexcept { return *this; }

 private:
  std::atomic<PyTypeObject*> type_{nullptr};
};

/// The class of a type index, and the facts about the type that the bridge needs often.
struct ClassRecord {
  int32_t type_index;
  PresentClass type;        ///< generated, or registered by the user
  PyTypeObject* generated;  ///< the generated class; equal to `type` unless one was registered
  PyTypeObject* own;        ///< the class of the key if the user registers none: `generated`,
                            ///< or its child that derives from the class of a parent key too
  std::vector<PyTypeObject*> made;  ///< `generated` and each former `own`; never freed
  PyTypeObject* above;           ///< the class of the parent key from which `own` and `type` derive
  const TainTypeRecord* record;  ///< the core's record
  TainObject* constructor;       ///< borrowed from the core's record, or null
  const TainFunctionInfo* constructor_info;  ///< the record of the constructor, or null
  std::vector<const TainFieldDef*> fields;   ///< all fields, those of parents first
  PyObject* originals;                       ///< a dict of the members of `generated` as they were
                                             ///< made, or null if C++ calls none of them
  bool is_gc;                                ///< a reflected field can reach another object
  bool may_cycle;                            ///< objects in those fields may hold references too
  bool is_overridden;      ///< C++ calls overrides of any name (kTainTypeOverridden)
  bool has_virtual;        ///< this type or a parent has methods that C++ calls overrides of
  bool has_final;          ///< this type or a parent has methods that Python must not override
  bool has_abstract;       ///< this type has methods that Python must override
  bool is_thread_safe;     ///< the C++ type says tain::thread_safe()
  bool constructs_freely;  ///< without a GIL: threads may call the constructor at the same time
  bool has_post_init;      ///< construction ends with a call of __post_init__
};

/// Returns the class of a type index and makes it if necessary; null with an error set if that
/// fails.
PyTypeObject* ClassOfSlow(int32_t type_index) noexcept;
inline PyTypeObject* ClassOf(int32_t type_index) noexcept {
  const ClassRecord* record = GetObjectsState().classes.Find(type_index);
  return TAIN_LIKELY(record != nullptr) ? record->type : ClassOfSlow(type_index);
}
/// Returns the Python class of a static type index that needs no generated class (str, int,
/// tain.Error ...) as a borrowed reference, or null.
PyObject* ClassOfStaticIndex(int32_t type_index) noexcept;
/// Returns the class of a type index as an object; invalid if values of the type have none, such as
/// addresses. Throws nb::python_error.
nb::object ClassObject(int32_t type_index);
/// Returns the record of a type index and makes its class if necessary; null with an error set.
ClassRecord* RecordOf(int32_t type_index) noexcept;
/// Returns all fields of a type, those of its parents first. A field that a child registers again
/// keeps its first place. Throws nb::python_error if the type's class cannot be made.
inline const std::vector<const TainFieldDef*>& AllFields(const TainTypeRecord* record) {
  const ClassRecord* known = RecordOf(record->info->type_index);
  if (known == nullptr) throw nb::python_error();
  return known->fields;
}
/// Returns the entry of a class in the small cache in front of the map of classes, because
/// constructors look up each object's class.
inline std::atomic<const KnownClass*>& ClassCacheFor(PyTypeObject* type) noexcept {
  return GetObjectsState().class_cache[(reinterpret_cast<uintptr_t>(type) >> 6) & 255];
}
/// Returns the record of a class that is in the cache; else null. Needs no lock.
inline ClassRecord* CachedRecordOf(PyTypeObject* type) noexcept {
  const KnownClass* known = ClassCacheFor(type).load(std::memory_order_acquire);
  if (TAIN_UNLIKELY(known->first != type)) return nullptr;
  return known->second.load(std::memory_order_relaxed);
}

/// Returns the record of a class: that of the key for which it is registered, else that of its
/// generated class. Null without an error.
ClassRecord* RecordOfTypeSlow(PyTypeObject* type) noexcept;
inline ClassRecord* RecordOfType(PyTypeObject* type) noexcept {
  ClassRecord* record = CachedRecordOf(type);
  return TAIN_LIKELY(record != nullptr) ? record : RecordOfTypeSlow(type);
}
/// Makes a class that of a record's key; throws std::bad_alloc.
void SetRecordOf(PyTypeObject* type, ClassRecord* record);
/// Enters a new class. If the type index has a class already, keeps it. Returns the record that
/// counts.
ClassRecord* EnterClass(const ClassRecord& made) noexcept;

/// Returns the class or enum of a key as a new reference. Sets ValueError, with similar keys, if
/// there is none.
PyObject* ClassOfKey(std::string_view key);
/// Returns the class or enum of a key as a new reference, or null without an error if there is
/// none. With `load`, what may define the key is loaded.
PyObject* FindClassOfKey(std::string_view key, bool load = true);

}  // namespace tain::bindings
