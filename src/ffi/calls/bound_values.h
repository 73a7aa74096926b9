// SPDX-License-Identifier: Apache-2.0
// The values of one call in the order of its parameters, and the arguments from which they are
// made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tain/arguments.h"
#include "tain/internal/argument_order.h"

namespace tain::internal {

/// Whether the first value of a call is the receiver of a method, which is no parameter. `info` may
/// be null.
inline bool HasReceiver(const TainFunctionInfo* info) noexcept {
  return info != nullptr && (info->flags & kTainCallMethod) != 0;
}

/// The arguments of a C++ caller that passes keywords, as views of the caller's values.
class KeywordArguments {
 public:
  KeywordArguments(const TainAny* args, int32_t num_args, const Map<String, Any>& keywords);
  GivenArguments view() const noexcept {
    return {values_.data(), num_positional_, names_.data(), static_cast<int32_t>(names_.size())};
  }

 private:
  int32_t num_positional_;
  std::vector<TainAny> values_;
  std::vector<String> keys_;  ///< own the text of the names
  std::vector<std::string_view> names_;
};

/// The values that a callee gets: borrowed ones, and owned ones that default factories made.
class BoundValues {
 public:
  /// Adds all arguments in a valid order. With `complete`, also adds all defaults that are in the
  /// info; otherwise the callee adds the last ones.
  void Fill(const ArgumentOrder& order, const GivenArguments& given, bool complete = false);
  void AddPositional(const TainAny* args, int32_t num_args);
  /// Adds the keywords of the parameter that takes the rest of them; adds nothing if there are
  /// none.
  void AddKeywords(const Map<String, Any>& keywords);

  /// Returns the values; never null.
  const TainAny* data() const noexcept { return values_.empty() ? &none_ : values_.data(); }
  int32_t size() const noexcept { return static_cast<int32_t>(values_.size()); }

 private:
  void AddDefault(const TainArgInfo& parameter);

  TainAny none_{};
  std::vector<TainAny> values_;
  std::vector<Any> made_;
};

/// Writes the default of a parameter. `made` receives the result of a factory, which it owns.
void FillDefault(const TainArgInfo& parameter, TainAny* out, Any* made);

}  // namespace tain::internal
