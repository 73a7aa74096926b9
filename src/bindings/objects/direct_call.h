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

/// A call in this thread, while it runs. What is noted is values and no address of a stack: a greenlet
/// may leave the call, and never come back.
class DirectCall : internal::NotCopied {
 public:
  DirectCall(const TainObject* object, const TainByteArray* name) noexcept : outer_(innermost) {
    innermost = {object, name};
  }
  ~DirectCall() { innermost = outer_; }

  /// Whether the innermost call is that of `name` of the object, and has not been taken.
  static bool Take(const TainObject* object, const TainByteArray& name) noexcept {
    if (innermost.object == nullptr || innermost.object != object ||
        View(*innermost.name) != View(name)) {
      return false;
    }
    innermost.object = nullptr;
    return true;
  }

 private:
  struct Note {
    const TainObject* object;   ///< null if the call was taken, or is none; only compared
    const TainByteArray* name;  ///< of a record, which lives as long as the process
  };
  static inline constinit TAIN_FAST_THREAD_LOCAL Note innermost{nullptr, nullptr};

  Note outer_;
};

}  // namespace tain::bindings
