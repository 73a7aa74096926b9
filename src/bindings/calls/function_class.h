// SPDX-License-Identifier: Apache-2.0
// The class tain.Function: its instances are called through vectorcall.
#pragma once

#include "objects/instance.h"

namespace tain::bindings {

/// The layout of a Function's wrapper, which is callable through vectorcall.
struct FunctionInstance {
  Instance base;
  vectorcallfunc vectorcall;     ///< the call for this kind of function
  const TainFunctionInfo* info;  ///< null if the function has none
};

/// Makes the class tain.Function as a child of tain.Object.
PyTypeObject* MakeFunctionClass() noexcept;

}  // namespace tain::bindings
