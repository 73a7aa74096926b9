// SPDX-License-Identifier: Apache-2.0
// Which methods that C++ calls were replaced in a generated class itself, as mock.patch does.
//
// An object whose wrapper has a class written in Python asks by its override set, and an object of a
// generated class, or without a wrapper, by the set 0 (TainOverrideMask). That set is filled when a
// generated class has changed: from 3.12 on CPython tells it, before that each entry into the bridge
// looks whether the classes still have their version tags.
#pragma once

#include "base/state.h"

namespace tain::bindings {

/// Begins to watch the generated class of a type whose methods C++ calls. Throws nb::python_error.
void WatchMembers(ClassRecord* record);
/// Returns the member of a generated class or its bases as it was before anybody replaced it,
/// borrowed; null if there was none.
PyObject* OriginalMember(PyTypeObject* generated, PyObject* name) noexcept;
/// Returns what a class has under the name of a member in place of that of its generated class; null
/// if it overrides nothing.
Own OverridingMember(PyTypeObject* type, PyTypeObject* generated, PyObject* name) noexcept;
/// Whether a method that C++ calls is replaced in a generated class, or may be.
bool MembersReplaced() noexcept;
/// Fills the set 0 again, if a generated class has changed.
void UpdateReplaced() noexcept;

}  // namespace tain::bindings
