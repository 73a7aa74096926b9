// SPDX-License-Identifier: Apache-2.0
// What each Python class overrides, where C++ reads it without the GIL (TainOverrideSet).
#pragma once

#include "py.h"

namespace tain::bindings {

/// Gives a Python class a set of its own, if its C++ type has virtual methods; it says "ask" until
/// C++ has asked once. Without a free set, C++ asks each time.
void AddOverrideSet(PyTypeObject* type) noexcept;
/// Notes in an object's header which set is its mirror's.
void NoteOverrideSet(TainObject* object, PyTypeObject* type) noexcept;
/// Fills the set of an object's mirror anew if the class has changed since.
void UpdateOverrideSet(const TainObject* object, PyTypeObject* type) noexcept;

}  // namespace tain::bindings
