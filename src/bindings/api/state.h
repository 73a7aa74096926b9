// SPDX-License-Identifier: Apache-2.0
// The state of the functions of tain._core. See base/state.h for its lifetime and its lock.
#pragma once

#include <atomic>

#include "base/state.h"

namespace tain::bindings {

/// The thread that signal handlers run on, as far as is known: in a forked child it is another one.
/// Read without the GIL; `process` is written last.
struct MainThread {
  std::atomic<unsigned long> ident{0};
  std::atomic<long> process{0};
};

/// The functions of tain._core.
struct ApiState {
  MainThread main_thread;
};
inline TAIN_HIDDEN Eternal<ApiState> api_state;

inline ApiState& GetApiState() noexcept { return api_state.value; }

}  // namespace tain::bindings
