// SPDX-License-Identifier: Apache-2.0
// Attributes and methods of tain.Function: name, documentation, signature, pickling by name.
#pragma once

#include "py.h"

namespace tain::bindings {

PyGetSetDef* FunctionGetSet() noexcept;
PyMethodDef* FunctionMethods() noexcept;

}  // namespace tain::bindings
