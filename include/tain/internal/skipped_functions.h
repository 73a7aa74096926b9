// SPDX-License-Identifier: Apache-2.0
// The functions of namespaces that TAIN_REFLECT left out.
#pragma once

#include <string>
#include <vector>

#include "tain/c_api_registry.h"

namespace tain::internal {

struct SkippedFunction {
  std::string name;  ///< with its namespaces: geometry.read
  std::string why;
  bool is_strict;  ///< the library was compiled with TAIN_REFLECT_STRICT: its load warns
};

/// Records that the library of a unit left a function out.
TAIN_DLL void NoteSkippedFunction(const TainUnit* unit, const char* name, const char* why,
                                  bool is_strict) noexcept;
/// Returns what the library of a file left out, in the order of its declarations.
TAIN_DLL std::vector<SkippedFunction> SkippedFunctionsOf(const std::string& file);

}  // namespace tain::internal
