// SPDX-License-Identifier: Apache-2.0
// The addresses that the loader writes into variables of compiled libraries.
#pragma once

#include <map>
#include <mutex>
#include <string>

namespace tain::internal {

/// Addresses by name that others register.
struct AddressTable {
  std::mutex mutex;  ///< guards `addresses`
  std::map<std::string, void*> addresses;

  /// Registers an address for the C function `where`. Throws if it or its name is null, and if the
  /// name, whose text `what` precedes, has another address already.
  void Add(const char* where, const char* what, const char* name, void* address);
};

/// Returns the addresses by the names of the variables.
std::map<std::string, void*> ContextSymbols();

}  // namespace tain::internal
