// SPDX-License-Identifier: Apache-2.0
// Which objects the calls under way use.
//
// A call borrows its arguments from their mirrors, which Python keeps until it returns. Only
// `__init__` and `_move()` take an object away from a live mirror; they ask here before. The list
// goes through the frames of all threads and is guarded by the GIL, which a call holds when it
// begins and when it ends.
#pragma once

#include "py.h"

namespace tain::bindings {

/// The values of a call, for as long as this stands.
class InFlight {
 public:
  InFlight(const TainAny* values, int32_t count) noexcept
      : values_(values), count_(count), next_(first), before_(&first) {
    if (next_ != nullptr) next_->before_ = &next_;
    first = this;
  }
  ~InFlight() {
    *before_ = next_;
    if (next_ != nullptr) next_->before_ = before_;
  }
  /// The values are more now.
  void Grow(int32_t count) noexcept { count_ = count; }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

  /// Whether a call uses the object.
  static bool Uses(const TainObject* object) noexcept {
    for (const InFlight* call = first; call != nullptr; call = call->next_) {
      for (int32_t i = 0; i < call->count_; ++i) {
        const TainAny& value = call->values_[i];
        if (value.type_index >= kTainStaticObjectBegin && value.v_obj == object) return true;
      }
    }
    return false;
  }

 private:
  inline static constinit InFlight* first = nullptr;
  const TainAny* values_;
  int32_t count_;
  InFlight* next_;
  InFlight** before_;  ///< what points to this
};

/// One object in use.
class ObjectInUse {
 public:
  explicit ObjectInUse(TainObject* object) noexcept : call_(&value_, 1) {
    value_.type_index = object->type_index;
    value_.v_obj = object;
  }

 private:
  TainAny value_{};
  InFlight call_;
};

/// False, with TypeError set, if a call uses the object of an instance; `what` would take it away.
bool CheckUnused(PyObject* instance, const char* what) noexcept;

}  // namespace tain::bindings
