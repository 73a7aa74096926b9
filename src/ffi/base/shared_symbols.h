// SPDX-License-Identifier: Apache-2.0
// The symbols of loaded libraries, which the loader can look up by name but does not list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tain::internal {

/// A symbol that a library defines, of its dynamic symbol table.
struct SharedSymbol {
  std::string name;
  bool is_function;  ///< and not data
  bool is_writable;  ///< lies in memory that may be written
  uint64_t size;     ///< in bytes; 0 if it is not known
};

/// Returns the symbols that a loaded library defines, by the loader's handle; none where the platform has no
/// ELF tables.
std::vector<SharedSymbol> SymbolsOf(void* handle);

/// Returns the loaded files that define a symbol, also those that were opened with RTLD_LOCAL, which
/// the loader would not find; none where the platform has no ELF tables.
std::vector<std::string> FilesThatDefine(const char* symbol);

}  // namespace tain::internal
