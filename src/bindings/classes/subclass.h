// SPDX-License-Identifier: Apache-2.0
// Prepares Python subclasses of generated classes before their first instance exists.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Prepares a Python subclass; -1 with TypeError set if its bases are unrelated or it overrides a
/// final method.
int AdmitSubclass(PyTypeObject* type) noexcept;
/// Gives Python subclasses tain's tp_dealloc: the class and every class between it and the
/// generated one. Throws std::bad_alloc, and has changed nothing then.
void AdoptSubclass(PyTypeObject* type);

}  // namespace tain::bindings
