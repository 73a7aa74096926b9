// SPDX-License-Identifier: Apache-2.0
// The overrides that C++ calls, while they run: an override may pass on what it got to the code of C++.
#pragma once

#include <string_view>

#include "tain/c_api.h"
#include "tain/internal/fast_tls.h"

namespace tain::internal {

/// A call of an override in this thread, while it runs.
class OverrideCall {
 public:
  OverrideCall(const TainObject* receiver, std::string_view name, const TainAny* args,
               int32_t num_args) noexcept
      : receiver_(receiver), name_(name), args_(args), num_args_(num_args), outer_(innermost) {
    innermost = this;
  }
  ~OverrideCall() { innermost = outer_; }
  OverrideCall(const OverrideCall&) = delete;
  OverrideCall& operator=(const OverrideCall&) = delete;

  /// Whether a call `super().f(x)` is that of an override `f` of the receiver, which C++ called with
  /// the object x. Without the override C++ itself would have passed it to the method `full_name`.
  static bool PassesOn(const TainObject* receiver, std::string_view full_name,
                       const TainObject* argument) noexcept {
    for (const OverrideCall* call = innermost; call != nullptr; call = call->outer_) {
      if (call->receiver_ == receiver && call->IsNamed(full_name) && call->Has(argument)) {
        return true;
      }
    }
    return false;
  }

 private:
  bool IsNamed(std::string_view full_name) const noexcept {
    return full_name.substr(full_name.rfind('.') + 1) == name_;
  }
  bool Has(const TainObject* argument) const noexcept {
    for (int32_t i = 0; i < num_args_; ++i) {
      if (args_[i].type_index >= kTainStaticObjectBegin && args_[i].v_obj == argument) return true;
    }
    return false;
  }

  static constinit TAIN_FAST_THREAD_LOCAL const OverrideCall* innermost;

  const TainObject* receiver_;
  std::string_view name_;
  const TainAny* args_;
  int32_t num_args_;
  const OverrideCall* outer_;
};

}  // namespace tain::internal
