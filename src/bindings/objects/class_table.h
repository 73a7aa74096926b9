// SPDX-License-Identifier: Apache-2.0
// Which Python class stands for which type index; made when first asked for.
#pragma once

#include <array>
#include <vector>

#include "base/state.h"

namespace tain::bindings {

/// What the bridge knows of a type index.
struct ClassRecord {
  int32_t type_index;
  PyTypeObject* type;       ///< the class of new mirrors: generated, or registered by the user
  PyTypeObject* generated;  ///< the generated class; equal to `type` unless one was registered
  PyTypeObject* own;        ///< what stands for the key if the user registers nothing for it:
                            ///< `generated`, or its child that has a parent key's class too
  std::vector<PyTypeObject*> made;  ///< `generated` and all that were ever `own`; kept for ever
  PyTypeObject* above;           ///< the class of the parent key that `own` and `type` derive from
  const TainTypeRecord* record;  ///< the core's record
  TainObject* constructor;       ///< borrowed from the core's record, or null
  const TainFunctionInfo* constructor_info;  ///< what is known of it, or null
  std::vector<const TainFieldDef*> fields;   ///< all, its parents' first
  bool is_gc;                                ///< a reflected field can reach another object
  bool may_cycle;                            ///< what those fields hold may hold references too
  bool has_virtual;    ///< this type or a parent has methods that C++ calls overrides of
  bool has_final;      ///< this type or a parent has methods that Python must not override
  bool has_abstract;   ///< this type has methods that Python must override
  bool has_post_init;  ///< construction ends with a call of __post_init__
};

/// The class of a type index, made if need be; null with an error set if it cannot be.
PyTypeObject* ClassOfSlow(int32_t type_index) noexcept;
inline PyTypeObject* ClassOf(int32_t type_index) noexcept {
  const auto& classes = GetState().classes;
  if (TAIN_LIKELY(static_cast<size_t>(type_index) < classes.size())) {
    if (const ClassRecord* record = classes[static_cast<size_t>(type_index)]) return record->type;
  }
  return ClassOfSlow(type_index);
}
/// The Python class of a static type index that needs no generated class (str, int, tain.Error
/// ...), borrowed; or null.
PyObject* ClassOfStaticIndex(int32_t type_index) noexcept;
/// The record of a type index, its class made if need be; null with an error set.
ClassRecord* RecordOf(int32_t type_index) noexcept;
/// All fields of a type, its parents' first; one that a child registers again stands in its first
/// place. Throws nb::python_error if there is no memory for the type's class.
inline const std::vector<const TainFieldDef*>& AllFields(const TainTypeRecord* record) {
  const ClassRecord* known = RecordOf(record->info->type_index);
  if (known == nullptr) throw nb::python_error();
  return known->fields;
}
/// A small cache before the map of classes, because constructors ask for every object.
struct ClassCacheEntry {
  PyTypeObject* type;
  ClassRecord* record;
};
extern constinit std::array<ClassCacheEntry, 256> class_cache;
inline ClassCacheEntry& ClassCacheFor(PyTypeObject* type) noexcept {
  return class_cache[(reinterpret_cast<uintptr_t>(type) >> 6) & 255];
}

/// The record of a class or of the nearest class above it that stands for a type index; null
/// without an error.
ClassRecord* RecordOfTypeSlow(PyTypeObject* type) noexcept;
inline ClassRecord* RecordOfType(PyTypeObject* type) noexcept {
  const ClassCacheEntry& entry = ClassCacheFor(type);
  return TAIN_LIKELY(entry.type == type) ? entry.record : RecordOfTypeSlow(type);
}
/// Whether mirrors of the class take part in virtual calls.
bool HasVirtual(PyTypeObject* type) noexcept;
/// Enters a class that was made; the first one wins, and is returned.
ClassRecord* EnterClass(const ClassRecord& made) noexcept;

}  // namespace tain::bindings
