// SPDX-License-Identifier: Apache-2.0
// The guard of what recurs through keys of maps: a bound, the C stack, and notes of the nested results.
#pragma once

#include "base/stack_bound.h"
#include "tain/error.h"
#include "tain/internal/nested_notes.h"

namespace tain::internal {

/// How deep keys may be nested in keys.
inline constexpr int kMaxKeyLevels = 500;

/// One level of an operation on the keys of maps; see NestedNotes.
template <class Notes>
struct KeyLevel : NestedNotes<Notes> {
  /// Throws RecursionError `low: the C stack ...` if little of the stack is left, and one that begins
  /// with `deep` past kMaxKeyLevels.
  KeyLevel(const char* low, const char* deep) {
    if (StackIsLow()) ThrowStackIsLow(low);
    if (this->depth() > kMaxKeyLevels) {
      TAIN_THROW(RecursionError) << deep << " more than " << kMaxKeyLevels << " levels deep";
    }
  }
};

}  // namespace tain::internal
