// SPDX-License-Identifier: Apache-2.0
// The calls of C++ methods by Python under way; see direct_call.h.
#include "objects/direct_call.h"

namespace tain::bindings {

constinit TAIN_FAST_THREAD_LOCAL DirectCall::Note DirectCall::innermost{nullptr, nullptr};

}  // namespace tain::bindings
