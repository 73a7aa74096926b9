// SPDX-License-Identifier: Apache-2.0
// Scopes that release or take Python's global interpreter lock (GIL), for C++ that knows nothing
// else of Python.
//
//   {
//     const tain::WithoutGil unlocked;  // other threads may call Python
//     worker.join();
//   }
//
// Both do nothing in a program without Python, and WithoutGil does nothing in a thread that does not
// hold the GIL. Scopes may be nested. A function, method or destructor as a whole is better told by
// tain::release_gil() and tain::destroy_without_gil() (reflection/arg.h): calls without the GIL also
// hold their arguments. Inside WithoutGil, use objects that a Ref holds.
#pragma once

#include "tain/c_api_host.h"
#include "tain/error.h"

namespace tain {

/// Releases the GIL for a scope.
class WithoutGil : internal::NotCopied {
 public:
  WithoutGil() noexcept : host_(TainGetHost()) {
    if (host_ != nullptr && host_->release_lock != nullptr) released_ = host_->release_lock();
  }
  ~WithoutGil() {
    if (released_ != nullptr) host_->restore_lock(released_);
  }

 private:
  const TainHost* host_;
  void* released_ = nullptr;
};

/// Takes the GIL for a scope, in any thread. Not needed to call a tain::Function. If the interpreter
/// is shutting down, a thread that does not hold the GIL gets a RuntimeError.
class WithGil : internal::NotCopied {
 public:
  WithGil() : host_(TainGetHost()) {
    if (host_ == nullptr || host_->take_lock == nullptr) return;
    taken_ = host_->take_lock();
    if (taken_ == nullptr) TAIN_THROW(RuntimeError) << "the interpreter is shutting down";
  }
  ~WithGil() {
    if (taken_ != nullptr) host_->drop_lock(taken_);
  }

 private:
  const TainHost* host_;
  void* taken_ = nullptr;
};

}  // namespace tain
