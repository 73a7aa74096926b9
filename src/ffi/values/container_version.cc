// SPDX-License-Identifier: Apache-2.0
// The counter of changes in containers that libtain makes; see container_version.h.
#include "tain/internal/container_version.h"

#include "tain/internal/container_declared.h"
#include "values/container_detail.h"

namespace tain::internal {
namespace {

constexpr int kDeclaredShift = 48;  // 2**48 changes take years
constexpr uint64_t kChangesMask = (uint64_t{1} << kDeclaredShift) - 1;

}  // namespace

ContainerVersion VersionOf(const TainObject* container) noexcept {
  const uint64_t* counter = ChangesOf(container);
  const uint64_t changes = counter == nullptr ? 0 : *counter & kChangesMask;
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

uint32_t DeclaredNumberOf(const TainObject* container) noexcept {
  const uint64_t* counter = ChangesOf(container);
  return counter == nullptr ? 0 : static_cast<uint32_t>(*counter >> kDeclaredShift);
}

void SetDeclaredNumber(TainObject* container, uint32_t number) noexcept {
  uint64_t* counter = ChangesOf(container);
  if (counter == nullptr || number >= kMaxDeclaredNumber) return;
  *counter = (*counter & kChangesMask) | uint64_t{number} << kDeclaredShift;
}

}  // namespace tain::internal
