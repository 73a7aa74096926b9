// SPDX-License-Identifier: Apache-2.0
// Python subclasses of generated classes: what they need before the first instance.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Makes a Python subclass fit for instances; -1 with TypeError set if its bases are unrelated or
/// it overrides a final method.
int AdmitSubclass(PyTypeObject* type) noexcept;
/// Gives Python subclasses tain's dealloc: the class and every class between it and the generated
/// one.
void AdoptSubclass(PyTypeObject* type) noexcept;

}  // namespace tain::bindings
