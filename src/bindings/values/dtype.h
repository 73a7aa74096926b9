// SPDX-License-Identifier: Apache-2.0
// The class tain.dtype: the type of the elements of an array.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// The C++ part of a tain.dtype object.
struct DType {
  DLDataType value;
};

/// Makes tain.dtype.
void DefineDType(nb::module_& m);

}  // namespace tain::bindings
