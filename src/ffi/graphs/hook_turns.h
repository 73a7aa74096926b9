// SPDX-License-Identifier: Apache-2.0
// The order in which hooks, and the walks that their functions start, end.
#pragma once

#include <cstdint>

#include "tain/error.h"

namespace tain::internal {

/// Who may go on with a walk: the hook that was called last, or the walk that its function has
/// started. They end in reverse order, unless coroutines that move the C stack run hooks of one walk
/// in turns. Then the walk is given up, and whoever takes part in it raises RuntimeError.
///
/// It belongs to the walk, which is not on the C stack: a coroutine sees the stack of another one
/// overwritten.
class HookTurns {
 public:
  class Turn : NotCopied {
   public:
    explicit Turn(HookTurns& all) noexcept : all_(all), outer_(all.now_), number_(++all.last_) {
      all_.now_ = number_;
    }
    ~Turn() {
      if (all_.IsTurnOf(number_)) {
        all_.now_ = outer_;
      } else {
        all_.is_broken_ = true;
      }
    }
    uint64_t number() const noexcept { return number_; }

   private:
    HookTurns& all_;
    uint64_t outer_;
    uint64_t number_;
  };

  bool IsTurnOf(uint64_t number) const noexcept { return !is_broken_ && now_ == number; }
  /// Throws RuntimeError unless it is that turn. `where` names the hook.
  void Check(uint64_t number, const char* where) const {
    if (IsTurnOf(number)) return;
    TAIN_THROW(RuntimeError) << where
                             << ": coroutines call its function in turns, and one of these "
                             << "calls has not ended";
  }

 private:
  uint64_t now_ = 0;   ///< of the turn that began last
  uint64_t last_ = 0;  ///< the number that was given last
  bool is_broken_ = false;
};

}  // namespace tain::internal
