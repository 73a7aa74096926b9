// SPDX-License-Identifier: Apache-2.0
// The guard of what recurs through keys of maps: a bound, the C stack, and notes of the nested results.
#pragma once

#include <memory>
#include <utility>

#include "base/stack_bound.h"
#include "tain/error.h"

namespace tain::internal {

/// How deep keys may be nested in keys.
inline constexpr int kMaxKeyLevels = 500;

/// One level of an operation on the keys of maps, in this thread. The nested levels may note results,
/// so that each part is read once, however many keys share it; the notes live until the outermost
/// level ends. The operations, and so their levels, are told apart by `Notes`.
template <class Notes>
class KeyLevel : NotCopied {
 public:
  /// Throws RecursionError `low: the C stack ...` if little of the stack is left, and one that begins
  /// with `deep` past kMaxKeyLevels.
  KeyLevel(const char* low, const char* deep) {
    if (StackIsLow()) ThrowStackIsLow(low);
    if (depth_ >= kMaxKeyLevels) {
      TAIN_THROW(RecursionError) << deep << " more than " << kMaxKeyLevels << " levels deep";
    }
    ++depth_;
  }
  ~KeyLevel() {
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
