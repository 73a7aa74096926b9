// SPDX-License-Identifier: Apache-2.0
// The one host that a process can have: each test file fills in the hooks that it needs.
#pragma once

#include "tain/c_api.h"

namespace tain_test {

inline TainHost& SharedHost() {
  static TainHost host{};
  return host;
}

}  // namespace tain_test
