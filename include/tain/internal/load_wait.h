// SPDX-License-Identifier: Apache-2.0
// Waits for libraries that other threads are loading.
#pragma once

#include "tain/c_api.h"

namespace tain::internal {

/// Waits until the library of a type is loaded, if another thread is just loading it. Until then members of
/// the type may be missing, and it may be withdrawn. A thread that has the host's lock gives it up while it
/// waits.
TAIN_DLL void AwaitLoadOf(int32_t type_index);

}  // namespace tain::internal
