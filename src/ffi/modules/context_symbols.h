// SPDX-License-Identifier: Apache-2.0
// The addresses that the loader writes into variables of compiled libraries.
#pragma once

#include <string>

namespace tain::internal {

class SymbolSource;

/// Writes the registered addresses to the variables of a library. `find_slot` returns the address
/// of a variable, or null.
void FillContextSymbols(const SymbolSource& symbols,
                        void** (*find_slot)(const SymbolSource& symbols, const std::string& name));

}  // namespace tain::internal
