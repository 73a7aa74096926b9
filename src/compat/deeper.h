// SPDX-License-Identifier: Apache-2.0
// One level of a walk that calls itself.
#pragma once

#include "tain/error.h"
#include "tain/internal/stack.h"

namespace tain::compat {

/// Counts a level. Throws RecursionError, which begins with `where`, if there are too many, or if the C
/// stack of the thread is nearly used up.
class Deeper {
 public:
  Deeper(int* depth, const char* where) : depth_(depth) {
    constexpr int kMaxDepth = 10'000;
    // Asked once: for the main thread it is read from a file.
    thread_local const internal::StackBounds stack = internal::ThisStack();
    if (*depth_ >= kMaxDepth || internal::IsBeyond(internal::StackAddress(), stack)) {
      TAIN_THROW(RecursionError) << where << ": the values are nested too deeply, " << *depth_
                                 << " times and more";
    }
    ++*depth_;
  }
  ~Deeper() { --*depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  int* depth_;
};

}  // namespace tain::compat
