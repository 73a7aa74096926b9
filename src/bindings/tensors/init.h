// SPDX-License-Identifier: Apache-2.0
// What the module initializes of this folder; the file of each name defines it.
#pragma once

#include "base/bridge_lock.h"
#include "base/py.h"

namespace tain::bindings {

/// The hook that makes Tensors of arrays: array_import.cc.
void InitArrayImport();
/// The hook that makes Tensors for parameters that take more: ruled_import.cc.
void InitRuledImport();
/// The hooks that return Tensors as arrays: array_return.cc.
void InitArrayReturn();
/// The functions that make tensors in Python: tensor_functions.cc.
void DefineTensors(CoreModule& m);

}  // namespace tain::bindings
