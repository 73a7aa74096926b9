// SPDX-License-Identifier: Apache-2.0
// Calls of a C++ method by Python, such as super().area(), that must reach the code of C++ although
// the class of the object overrides the method.
//
// The registered function of a boxed class is a virtual function of C++, which would call the
// override again. So the call leaves a note, and the first look-up of an override for the same
// object and name takes the note and finds none.
#pragma once

#include "base/py.h"
#include "tain/internal/fast_tls.h"

namespace tain::bindings {

/// A call in this thread, while it runs.
class DirectCall {
 public:
  DirectCall(const TainObject* object, const TainByteArray* name) noexcept
      : object_(object), name_(name), outer_(innermost) {
    innermost = this;
  }
  ~DirectCall() { innermost = outer_; }
  DirectCall(const DirectCall&) = delete;
  DirectCall& operator=(const DirectCall&) = delete;

  /// Whether the innermost call is that of `name` of the object, and has not been taken.
  static bool Take(const TainObject* object, const TainByteArray& name) noexcept {
    if (innermost == nullptr || innermost->object_ != object ||
        View(*innermost->name_) != View(name)) {
      return false;
    }
    innermost->object_ = nullptr;
    return true;
  }

 private:
  static constinit TAIN_FAST_THREAD_LOCAL DirectCall* innermost;

  const TainObject* object_;  ///< null if the call was taken, or is none
  const TainByteArray* name_;
  DirectCall* outer_;
};

}  // namespace tain::bindings
