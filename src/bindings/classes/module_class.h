// SPDX-License-Identifier: Apache-2.0
// The members of tain.Module beside those that libtain registers: pickling and `dir`.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Adds the methods to the generated class if it is that of ffi.Module.
void AddModuleMethods(PyTypeObject* type, const TainTypeRecord* record);

}  // namespace tain::bindings
