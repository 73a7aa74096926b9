// SPDX-License-Identifier: Apache-2.0
// The open objects of a structural operation, from the root to the innermost.
//
// They are in a list, so nesting uses no C stack. They are not held until foreign code is about to
// run: hooks, keys with functions of their own, signal handlers.
#pragma once

#include <algorithm>
#include <vector>

#include "compare/structural_plan.h"
#include "tain/signals.h"
#include "values/container_detail.h"

namespace tain::internal {

/// The parts of an open object.
enum class FrameForm : uint8_t { kFields, kSequence, kMap, kHook };

/// The base of structural operations. A Frame has a `form`, says in `held` whether it has references
/// to its objects, and `ForEachObject` calls a function for each of those.
template <class Frame>
class HeldFrames : NotCopied {
 protected:
  /// Counts a step. After some of them signal handlers run.
  void CountStep() {
    constexpr int64_t kStepsPerCheck = 4096;
    if (TAIN_LIKELY(++steps_ % kStepsPerCheck != 0)) return;
    HoldAll();
    check_signals();
  }
  void HoldTop() { Hold(frames_.back()); }
  /// Holds all open objects, because foreign code is about to run.
  TAIN_NOINLINE void HoldAll() {
    for (; held_below_ < frames_.size(); ++held_below_) Hold(frames_[held_below_]);
  }
  /// Removes the last frame, whose references the caller then gives to Drop.
  Frame TakeTop() noexcept {
    const Frame frame = frames_.back();
    frames_.pop_back();
    held_below_ = std::min(held_below_, frames_.size());
    return frame;
  }
  void Drop(const Frame& frame) {
    if (!frame.held) return;
    frame.ForEachObject([this](TainObject* object) {
      if (!IsShared(object)) HoldAll();
    });
    frame.ForEachObject([](TainObject* object) { DecRef(object); });
  }

  std::vector<Frame> frames_;

 private:
  static void Hold(Frame& frame) {
    if (frame.held) return;
    frame.ForEachObject([](TainObject* object) { IncRef(object); });
    frame.held = true;
  }

  size_t held_below_ = 0;  ///< all frames before this one are held
  int64_t steps_ = 0;
};

}  // namespace tain::internal
