// SPDX-License-Identifier: Apache-2.0
// check_signals(): lets Ctrl-C end a long loop.
//
//   for (int64_t i = 0; i < n; ++i) {
//     tain::check_signals();
//     ...
//   }
// Python notes a signal when it comes and acts on it between two of its own instructions, of which
// there are none while C++ runs. The call costs a look at a coarse clock; every 10 ms it asks
// Python. It may be made with and without the GIL, on any thread: signals belong to the main one,
// elsewhere nothing happens.
#pragma once

#include "tain/error.h"

namespace tain {

/// Throws what a Python signal handler raised: for Ctrl-C an Error of kind KeyboardInterrupt, which
/// Python gets as the same exception.
inline void check_signals() {
  if (TAIN_UNLIKELY(TainCheckSignals() != 0)) throw Error::MoveFromRaised();
}

}  // namespace tain
