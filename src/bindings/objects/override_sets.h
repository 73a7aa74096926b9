// SPDX-License-Identifier: Apache-2.0
// Records which methods each Python class overrides, so that C++ can read it without the GIL
// (TainOverrideSet).
#pragma once

#include <atomic>

#include "base/py.h"
#include "objects/state.h"

namespace tain::bindings {

/// Gives a Python class a set, which is filled when C++ asks for the first time. If no set is free,
/// C++ asks the class in each call.
void AddOverrideSet(PyTypeObject* type) noexcept;
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

/// Stores in an object's header the index of the set of its wrapper's class, or 0 for none.
inline void SetOverrideSet(TainObject* object, uint32_t index) noexcept {
  constexpr uint32_t kMask = (kTainOverrideSetCount - 1) << kTainHeaderSetShift;
  const std::atomic_ref<uint32_t> word(object->reserved);
  // The GIL or the lock of the bridge also guards all writes to the other bits.
  const uint32_t old = word.load(std::memory_order_relaxed);
  const uint32_t now = (old & ~kMask) | (index << kTainHeaderSetShift);
  if (now != old) word.store(now, std::memory_order_release);
}
/// Records that an object of this type without a prefix has a wrapper of a class written in Python.
/// C++ then asks in each call.
void AskForeign(int32_t type_index) noexcept;
/// Fills the set of the class of an object's wrapper again, if the class has changed.
void UpdateOverrideSet(const TainObject* object, PyTypeObject* type) noexcept;
/// Fills the set of a class again, if it has one.
void UpdateOwnOverrideSet(PyTypeObject* type) noexcept;

}  // namespace tain::bindings
