// SPDX-License-Identifier: Apache-2.0
// The object that Python gets for a Tensor: the array that it was made from, an array of the
// library of an argument, or a tain.Tensor.
#pragma once

#include "base/py.h"
#include "tain/tensor.h"

namespace tain::bindings {

/// Returns the array that a Tensor was made from, if its layout has not changed since: a borrowed
/// reference, or null.
PyObject* ArrayOf(TainObject* tensor) noexcept;
/// Sets the hooks.
void InitArrayReturn();

}  // namespace tain::bindings
