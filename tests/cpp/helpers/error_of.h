// SPDX-License-Identifier: Apache-2.0
// What tests share about errors: what a call throws, as text.
#pragma once

#include <string>

#include "tain/error.h"

namespace tain_test {

/// `Kind: message` of what a call throws; empty if it throws nothing.
template <class F>
std::string ErrorOf(F&& call) {
  try {
    call();
  } catch (const tain::Error& error) {
    return error.kind() + ": " + error.message();
  }
  return "";
}

}  // namespace tain_test
