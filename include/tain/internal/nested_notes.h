// SPDX-License-Identifier: Apache-2.0
// The levels of an operation that calls itself, through foreign code too, and the results of the inner
// levels, so that each part is read once, however many objects contain it.
#pragma once

#include <memory>
#include <utility>

#include "tain/base.h"

namespace tain::internal {

/// One level of an operation in this thread. The notes of the inner levels live until the outermost
/// level ends. The operations, and so their levels, are told apart by `Notes`.
template <class Notes>
class NestedNotes : NotCopied {
 public:
  NestedNotes() noexcept { ++depth_; }
  ~NestedNotes() {
    if (--depth_ > 0 || notes_ == nullptr) return;
    // The notes dropped here can run foreign code, which may begin another operation.
    const std::unique_ptr<Notes> old(std::exchange(notes_, nullptr));
  }

  /// Returns the number of levels that are open.
  static int depth() noexcept { return depth_; }
  /// Returns the notes of the running operation; null if there are none.
  static Notes* notes() noexcept { return notes_; }
  /// Returns them, made if there are none. A level must be open.
  static Notes& MakeNotes() {
    if (notes_ == nullptr) notes_ = new Notes;
    return *notes_;
  }

 private:
  inline static constinit thread_local int depth_ = 0;
  inline static constinit thread_local Notes* notes_ = nullptr;
};

}  // namespace tain::internal
