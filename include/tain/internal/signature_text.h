// SPDX-License-Identifier: Apache-2.0
// The parameters of a function as Python shows them, and its signature as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tain/c_api_registry.h"

namespace tain::internal {

/// The kinds of parameters, in the order of Python's inspect.
enum class ParamKind { kPositionalOnly, kOrdinary, kVarPositional, kKeywordOnly, kVarKeyword };

/// A parameter of a signature.
struct ShownParam {
  std::string name;  ///< that callers may spell: unique, and no word of Python
  ParamKind kind;
  const TainArgInfo* arg;  ///< null for the receiver and for (*args)

  /// Returns the declared type; empty if there is none.
  std::string_view type() const noexcept {
    return arg == nullptr ? std::string_view() : std::string_view(arg->type.data, arg->type.size);
  }
  bool has_default() const noexcept {
    constexpr int32_t kHasDefault = kTainArgHasDefault | kTainArgUnchanged | kTainArgOptional;
    return arg != nullptr && kind != ParamKind::kVarPositional && kind != ParamKind::kVarKeyword &&
           (arg->flags & kHasDefault) != 0;
  }
};

/// Returns the parameters in order; those of a function without a record are (*args).
TAIN_DLL std::vector<ShownParam> ShownParams(const TainFunctionInfo* info, bool with_self);
/// Returns `norm(self, p: int = 2) -> float`. Without `with_values` defaults are written as `...`.
TAIN_DLL std::string SignatureText(const TainFunctionInfo* info, std::string_view name,
                                   bool with_self, bool with_values = true);
/// Returns a value of a declared type for documentation: `Color.RED`, `'hello'`.
TAIN_DLL std::string DeclaredText(const TainAny& value, std::string_view type);

}  // namespace tain::internal
