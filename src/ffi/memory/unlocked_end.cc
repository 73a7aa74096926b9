// SPDX-License-Identifier: Apache-2.0
// Runs destructors without the host's lock; see unlocked_end.h.
#include "memory/unlocked_end.h"

#include "base/unlocked_call.h"
#include "tain/c_api_registry.h"
#include "tain/gil.h"

namespace tain::internal {

constinit std::atomic<bool> unlocked_ends_exist{false};

namespace {

bool EndsUnlocked(int32_t type_index) noexcept {
  while (type_index >= kTainDynObjectBegin) {
    const TainTypeRecord* record = TainGetTypeRecord(type_index);
    if (record == nullptr) return false;
    if ((record->def.flags & kTainTypeDestroyWithoutGil) != 0) return true;
    type_index = record->request.parent;
  }
  return false;
}

bool IsHostEnding() noexcept {
  const auto is_ending = HostFunction<&TainHost::is_ending>();
  return is_ending != nullptr && is_ending() != 0;
}

}  // namespace

bool DestroyUnlocked(TainObject* object, void* self, void (*destroy)(void* self)) noexcept {
  if (!EndsUnlocked(object->type_index)) {
    destroy(self);
    return true;
  }
  if (IsHostEnding()) return false;
  const WithoutGil unlocked;
  destroy(self);
  return true;
}

void DestroyUnfinished(void* body, const TainTypeRecord* record) noexcept {
  if (!EndsUnlocked(record->info->type_index)) return record->def.destroy(body, record);
  const WithoutGil unlocked;
  record->def.destroy(body, record);
}

}  // namespace tain::internal
