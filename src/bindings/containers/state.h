// SPDX-License-Identifier: Apache-2.0
// The state of containers. See base/state.h for its lifetime and its lock.
#pragma once

#include "base/state.h"

namespace tain::bindings {

/// Containers.
struct ContainersState {
  PyTypeObject* iterator_type = nullptr;  ///< of containers (iter.cc)
};
inline TAIN_HIDDEN Eternal<ContainersState> containers_state;

inline ContainersState& GetContainersState() noexcept { return containers_state.value; }

}  // namespace tain::bindings
