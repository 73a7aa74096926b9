// SPDX-License-Identifier: Apache-2.0
// What is remembered of classes written in Python: the set of overrides (override_sets.h), the record of the
// generated class, and whether instances need anything but memory. It holds for a version of the class, which
// CPython changes with the class and its bases, and ends with the class.
#pragma once

#include <atomic>

#include "base/py.h"
#include "objects/state.h"

namespace tain::bindings {

inline OverrideSetTable& OverrideSets() noexcept { return GetObjectsState().override_sets; }
inline OverrideSetOwner& OwnerAt(uint32_t index) noexcept {
  return OverrideSets().owners.load(std::memory_order_acquire)[index];
}

/// Returns the index of a class's set; kTainOverrideSetAsk if it has none.
uint32_t OverrideSetOf(PyTypeObject* type) noexcept;
/// The same for a class that was used recently; 0 if it was not. Needs no lock, but the caller must hold
/// the class.
uint32_t RecentSetOf(const PyTypeObject* type) noexcept;

/// The version of a class, which other threads may be changing; 0 if it has none.
inline uint32_t VersionOf(PyTypeObject* type) noexcept {
  return std::atomic_ref<unsigned int>(type->tp_version_tag).load(std::memory_order_acquire);
}
/// Returns the record of a class written in Python, which no key has, if that is known and the class has
/// not changed; else null. Needs no lock, but the caller must hold the class.
ClassRecord* NotedRecordOf(PyTypeObject* type) noexcept;
/// Notes the record, which was found since the class had the version `before`.
void NoteRecordOf(PyTypeObject* type, ClassRecord* record, uint32_t before) noexcept;
/// Forgets it: the class has become that of a key.
void ForgetRecordOf(PyTypeObject* type) noexcept;
/// Whether it is known that an instance of a class written in Python is made with nothing but its memory.
bool NeedsNothingNoted(PyTypeObject* type) noexcept;
/// Notes that; it was found since the class had the version `before`.
void NoteNeedsNothing(PyTypeObject* type, uint32_t before) noexcept;
/// The version for which facts hold that were found since the class had the version `before`; 0 if that
/// is unknown, or if the class cannot have a version: then they are found each time.
uint32_t VersionOfNames(PyTypeObject* type, uint32_t before) noexcept;

}  // namespace tain::bindings
