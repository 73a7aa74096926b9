// SPDX-License-Identifier: Apache-2.0
// tain.Object, the Python base class of every registered type.
#pragma once

#include "py.h"

namespace tain::bindings {

/// Makes tain.Object; null with an error set.
PyTypeObject* MakeObjectClass() noexcept;

}  // namespace tain::bindings
