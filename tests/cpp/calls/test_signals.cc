// SPDX-License-Identifier: Apache-2.0
// check_signals: without a host nothing is pending.
#include "tain/signals.h"

#include <doctest/doctest.h>

TEST_CASE("without a host nothing happens") {
  for (int i = 0; i < 1000; ++i) tain::check_signals();
  CHECK(TainCheckSignals() == 0);
}
