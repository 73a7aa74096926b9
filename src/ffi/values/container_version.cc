// SPDX-License-Identifier: Apache-2.0
// The counter of changes in containers that libtain makes; see container_version.h.
#include "tain/internal/container_version.h"

#include "values/container_detail.h"

namespace tain::internal {

ContainerVersion VersionOf(const TainObject* container) noexcept {
  const uint64_t* counter = ChangesOf(container);
  const uint64_t changes = counter == nullptr ? 0 : *counter;
  if (IsMap(container->type_index)) {
    const MapCell* cell = MapCellOf(container);
    return {cell->data, cell->size, cell->num_slots, changes};
  }
  const TainSeqCell* cell = SeqCellOf(container);
  return {cell->data, static_cast<uint64_t>(cell->size), static_cast<uint64_t>(cell->capacity),
          changes};
}

void CountChange(TainObject* container) noexcept {
  if (uint64_t* counter = ChangesOf(container)) ++*counter;
}

}  // namespace tain::internal
