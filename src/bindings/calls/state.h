// SPDX-License-Identifier: Apache-2.0
// The state of calls. See base/state.h for its lifetime and its lock.
#pragma once

#include <array>

#include "base/state.h"

namespace tain::bindings {

/// Where the values of a call stand, by parameter, the receiver included, if it has keywords or
/// leaves parameters to their defaults. Remembered for each function, number of positional arguments
/// and tuple of names, which is a constant of the calling code (arguments.h).
struct KeywordOrder {
  static constexpr Py_ssize_t kMost = 16;
  static constexpr uint8_t kDefault = 255;  ///< nobody gave it: the default of the author's
  static constexpr int32_t kNone = -1;      ///< as count: such calls need more than an order

  const TainFunctionInfo* info = nullptr;
  Own names;                ///< owned, so that no other tuple gets its address; may be null
  Py_ssize_t num_args = 0;  ///< those by position
  int32_t count = 0;        ///< how many are in `source`; the callee completes the rest
  uint8_t source[kMost] = {};
};

/// Calls.
struct CallsState {
  PyTypeObject* method_type = nullptr;             ///< the method descriptor
  std::array<KeywordOrder, 128> keyword_orders{};  ///< a cache, as those of objects/state.h
};
inline TAIN_HIDDEN Eternal<CallsState> calls_state;

inline CallsState& GetCallsState() noexcept { return calls_state.value; }

}  // namespace tain::bindings
