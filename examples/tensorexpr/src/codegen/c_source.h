// SPDX-License-Identifier: Apache-2.0
// The code of programs, in C.
#pragma once

#include "tir/stmt.h"

namespace tensorexpr {

/// Returns C source with one function of tain's binary interface for each function of a module. Throws
/// ValueError for programs that have no code: tensors and reductions that are not lowered, operations and
/// types that C does not have.
std::string CSource(const IRModule& m);

}  // namespace tensorexpr
