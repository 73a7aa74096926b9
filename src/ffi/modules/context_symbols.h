// SPDX-License-Identifier: Apache-2.0
// The addresses that the loader writes into variables of compiled libraries.
#pragma once

#include <map>
#include <string>

namespace tain::internal {

/// Returns the addresses by the names of the variables.
std::map<std::string, void*> ContextSymbols();

}  // namespace tain::internal
