// SPDX-License-Identifier: Apache-2.0
// Destructors that run without the lock of the host language, because they wait for threads that may
// call the host (tain::destroy_without_gil).
#pragma once

#include <atomic>

#include "tain/c_api_host.h"
#include "tain/c_api_registry.h"

namespace tain::internal {

/// Whether some type was ever registered with kTainTypeDestroyWithoutGil.
extern std::atomic<bool> unlocked_ends_exist;

/// Calls `destroy(self)`: without the host's lock if the object's type or one of its parents asks
/// for that. Returns false if the object must be leaked: this thread shuts the host down, so the
/// threads for which the destructor waits would wait for ever.
bool DestroyUnlocked(TainObject* object, void* self, void (*destroy)(void* self)) noexcept;
/// Destroys what was built of an object whose construction fails.
void DestroyUnfinished(void* body, const TainTypeRecord* record) noexcept;

}  // namespace tain::internal
