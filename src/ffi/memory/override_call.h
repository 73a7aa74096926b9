// SPDX-License-Identifier: Apache-2.0
// The overrides that C++ calls, while they run: an override may pass on what it got to the code of C++.
#pragma once

#include <string_view>

#include "tain/base.h"

namespace tain::internal {

/// A call of an override in this thread, while it runs. Only one that gets a lent object is noted, and
/// not on the stack: a greenlet may leave the call, and never come back.
class OverrideCall : NotCopied {
 public:
  /// Throws std::bad_alloc.
  OverrideCall(const TainObject* receiver, std::string_view name, const TainAny* args,
               int32_t num_args);
  ~OverrideCall();

  /// Whether a call `super().f(x)` is that of an override `f` of the receiver, which C++ called with
  /// the lent object x. Without the override C++ itself would have passed it to the method `full_name`.
  static bool PassesOn(const TainObject* receiver, std::string_view full_name,
                       const TainObject* argument) noexcept;

 private:
  struct Note;

  Note* note_ = nullptr;
};

}  // namespace tain::internal
