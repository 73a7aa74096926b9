// SPDX-License-Identifier: Apache-2.0
// The class tain.dtype: the type of the elements of an array.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// What an instance of tain.dtype holds.
struct DType {
  DLDataType value;
};

/// Makes tain.dtype.
void InitDType(nb::module_& m);

}  // namespace tain::bindings
