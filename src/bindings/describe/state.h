// SPDX-License-Identifier: Apache-2.0
// The state of descriptions. See base/state.h for its lifetime and its lock.
#pragma once

#include "base/state.h"

namespace tain::bindings {

/// Descriptions.
struct DescribeState {
  PyObject* class_signature = nullptr;  ///< `__signature__` of generated classes
};
inline TAIN_HIDDEN Eternal<DescribeState> describe_state;

inline DescribeState& GetDescribeState() noexcept { return describe_state.value; }

}  // namespace tain::bindings
