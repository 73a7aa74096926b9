// SPDX-License-Identifier: Apache-2.0
// Values that numpy converts to a number only with a warning, because something is lost.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Whether an object has the dtype of complex numbers, so that its __float__ drops the imaginary
/// part. Throws what reading the dtype raises.
bool HasComplexType(PyObject* object);
/// Whether an object is an array of numpy.ma with a masked element, whose __float__ is nan. Throws
/// what reading the mask raises.
bool HasMaskedValue(PyObject* object);

}  // namespace tain::bindings
