// SPDX-License-Identifier: Apache-2.0
// Records which methods each Python class overrides, so that C++ can read it without the GIL
// (TainOverrideSet).
#pragma once

#include <atomic>

#include "base/py.h"
#include "objects/noted_classes.h"

namespace tain::bindings {

/// Gives a Python class a set, which is filled when C++ asks for the first time. If no set is free,
/// C++ asks the class in each call.
void AddOverrideSet(PyTypeObject* type) noexcept;
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
