// SPDX-License-Identifier: Apache-2.0
// How a call finds its overload; shared by libtain and by hosts, which know keywords.
//
// Candidates are called in order, first those whose parameters are exactly what the arguments are.
// One that cannot take the arguments says so by throwing before its own code has run. The thread's
// OverloadAttempt tells that apart from what its code throws: libtain compares the arguments that
// are refused with those of the attempts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tain/object.h"

namespace tain::internal {

/// One call of a candidate, on this thread, as long as it lives. Attempts nest, unless a coroutine
/// moves the C stack away: what is noted about them does not stand on it.
class TAIN_DLL OverloadAttempt {
 public:
  /// `args` must be the array that the candidate gets, and not be null.
  explicit OverloadAttempt(const TainAny* args);
  ~OverloadAttempt();
  OverloadAttempt(const OverloadAttempt&) = delete;
  OverloadAttempt& operator=(const OverloadAttempt&) = delete;

  /// Whether the candidate threw because of the arguments; not if what is raised now asks to stop,
  /// which a repr raised while the refusal was put into words.
  bool refused() const;

  /// For the code that converts arguments: they are refused.
  static void Refuse(const TainAny* args) noexcept;
  /// The same arguments stand at `completed` now, with defaults.
  static void Complete(const TainAny* args, const TainAny* completed) noexcept;

 private:
  uint64_t id_;
};

/// The arguments of an overloaded call. Only the candidate that is certain to take them gets moved
/// references; to the others they are shown, and taken when the call is over.
class TAIN_DLL OverloadArguments {
 public:
  OverloadArguments(const TainAny* args, int32_t num_args);
  /// Whether they are exactly what the function takes.
  bool Fit(const TainFunctionInfo* info) const noexcept;
  /// What to call a candidate with.
  const TainAny* For(bool fits) const noexcept {
    return fits || shown_.empty() ? args_ : shown_.data();
  }
  /// A candidate took what was shown.
  void Taken() const noexcept;

 private:
  const TainAny* args_;
  int32_t num_args_;
  std::vector<TainAny> shown_;  ///< empty if nothing is moved
};

/// Why no candidate took the arguments.
class TAIN_DLL Refusals {
 public:
  void Add(const TainFunctionInfo* candidate, std::string_view reason);
  /// `geometry.area: no overload takes (str): ...`, one line for each candidate.
  std::string Text(const TainFunctionInfo* overloaded, std::string_view given) const;

 private:
  std::string lines_;
};

}  // namespace tain::internal
