// SPDX-License-Identifier: Apache-2.0
// What a description left out, and why: TAIN_REFLECT and def_skipped.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tain/c_api_registry.h"

namespace tain::internal {

/// A member, or a function with its namespaces, that is left out.
struct Skipped {
  const char* name;
  const char* why;
};

/// Whether the load warns of what was left out.
#if defined(TAIN_REFLECT_STRICT)
inline constexpr bool kIsStrict = true;
#else
inline constexpr bool kIsStrict = false;
#endif

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
