// SPDX-License-Identifier: Apache-2.0
// check_signals(): lets Ctrl-C end a long loop.
//
//   for (int64_t i = 0; i < n; ++i) {
//     tain::check_signals();
//     ...
//   }
// Python runs signal handlers between two of its own instructions, so not while C++ runs. A call of
// check_signals() reads a coarse clock and asks Python at most every 10 ms. It may be called with
// or without the GIL and on any thread; only the main thread runs signal handlers.
#pragma once

#include "tain/error.h"

namespace tain {

/// Throws the exception that a Python signal handler raised. For Ctrl-C it is an Error of kind
/// KeyboardInterrupt; if it reaches Python, Python sees the original exception.
inline void check_signals() {
  if (TAIN_UNLIKELY(TainCheckSignals() != 0)) throw Error::MoveFromRaised();
}

}  // namespace tain
