// SPDX-License-Identifier: Apache-2.0
// What each Python class overrides, where C++ reads it without the GIL (TainOverrideSet).
#pragma once

#include <atomic>

#include "base/py.h"

namespace tain::bindings {

/// Gives a Python class a set of its own, which says "ask" until C++ has asked once. Without a free
/// set, C++ asks each time.
void AddOverrideSet(PyTypeObject* type) noexcept;
/// Which set is a class's own; kTainOverrideSetAsk if it has none.
uint32_t OverrideSetOf(PyTypeObject* type) noexcept;
/// Notes in an object's header which set is its mirror's, 0 for none.
inline void SetOverrideSet(TainObject* object, uint32_t index) noexcept {
  constexpr uint32_t kMask = (kTainOverrideSetCount - 1) << kTainHeaderSetShift;
  const std::atomic_ref<uint32_t> word(object->reserved);
  // Other bits are written with the GIL held too.
  const uint32_t old = word.load(std::memory_order_relaxed);
  const uint32_t now = (old & ~kMask) | (index << kTainHeaderSetShift);
  if (now != old) word.store(now, std::memory_order_release);
}
/// Notes that the mirror of an object without a prefix is of a class written in Python: C++ asks
/// each time.
void AskForeign(int32_t type_index) noexcept;
/// Fills the set of an object's mirror anew if the class has changed since.
void UpdateOverrideSet(const TainObject* object, PyTypeObject* type) noexcept;
/// Fills a class's own set anew, if it has one.
void UpdateOwnOverrideSet(PyTypeObject* type) noexcept;

}  // namespace tain::bindings
