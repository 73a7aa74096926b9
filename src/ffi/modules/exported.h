// SPDX-License-Identifier: Apache-2.0
// The Functions of a library's exported symbols. They keep their module alive.
#pragma once

#include <string>

#include "tain/function.h"
#include "tain/module.h"
#include "tain/reflection/export.h"

namespace tain::internal {

/// Returns a Function of what TAIN_EXPORT wrote. Throws ImportError if the record is of another
/// version of tain, and what a wrong registration throws.
Function FunctionOfExport(const ModuleExport& record, const std::string& name,
                          const Ref<ModuleObj>& module);

/// Returns a Function that calls a C symbol which knows nothing of tain: without the GIL, and with
/// null as its first argument.
Function FunctionOfSymbol(TainSafeCall symbol, const Ref<ModuleObj>& module);

/// Returns the module of a Function that one of these returned, by the first argument of its code.
const ModuleObj& ModuleOfExported(void* self) noexcept;

}  // namespace tain::internal
