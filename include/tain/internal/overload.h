// SPDX-License-Identifier: Apache-2.0
// The overload search, shared by C++ callers and hosts.
//
// The candidate is called whose parameters the arguments fit best (Fit in traits.h): the argument
// that fits worst counts, among equals how near the classes of objects are to those of the
// parameters, and then the order of registration. A candidate that cannot take the arguments throws
// before its own code runs, and the error is marked as a refusal (src/ffi/base/refusal.h).
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tain/error.h"
#include "tain/internal/argument_order.h"

namespace tain::internal {

/// One call of an overloaded function.
class TAIN_DLL OverloadSearch : NotCopied {
 public:
  static constexpr int32_t kMost = 64;  ///< overloads of a name: a call tries them one by one
  /// Calls a candidate. Returns 0, or -1 with the error raised.
  using CallCandidate = int (*)(void* context, const TainOverload& candidate, const TainAny* args,
                                int32_t num_args);

  /// `info` is the record of the overloaded function. The arguments that `given` points to must
  /// outlive the search.
  OverloadSearch(const TainFunctionInfo* info, const GivenArguments& given);
  ~OverloadSearch();

  /// Calls candidates until one takes the arguments and returns that one, or null if none does.
  /// Throws any error of the candidate that took the arguments.
  const TainOverload* Call(CallCandidate call, void* context);
  /// Throws TypeError: `geometry.area: no overload takes (str)`, with one line for each candidate.
  [[noreturn]] void ThrowRefused() const;

 private:
  bool Try(int32_t index, int16_t score, CallCandidate call, void* context);
  bool CallWith(int32_t index, bool exact, const TainAny* values, int32_t num_values,
                CallCandidate call, void* context);
  int16_t ScoreOf(const TainFunctionInfo& info, const ArgumentOrder* order,
                  bool* unsure) const noexcept;
  void Refused(int32_t index, const std::string& reason);
  void TakeMoved() const noexcept;
  std::string GivenTypes() const;

  const TainFunctionInfo* info_;
  GivenArguments given_;
  /// The arguments with rvalue references replaced by their objects; empty if there are none. Only
  /// a candidate that certainly takes the arguments gets the rvalue references.
  std::vector<TainAny> shown_;
  std::array<int16_t, kMost> scores_;  ///< of the candidates, for the arguments of this call
  std::bitset<kMost> unsure_;          ///< candidates for which an argument is kFitIfRead
  std::vector<std::pair<int32_t, std::string>> refusals_;  ///< candidate, why it refuses
  /// Candidates whose arguments could not be read because a conversion threw. The error counts
  /// when candidates are tried that convert.
  std::vector<std::pair<int32_t, Error>> unread_;
};

/// Whether the raised error is the refusal of the second operand of a binary operator: argument 1
/// of a call with `args`. The error stays raised.
TAIN_DLL bool OperandWasRefused(const TainFunctionInfo* info, const TainAny* args) noexcept;

}  // namespace tain::internal
