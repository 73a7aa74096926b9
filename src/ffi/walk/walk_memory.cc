// SPDX-License-Identifier: Apache-2.0
// The memory of the walks of one functor; see walk_memory.h.
#include "walk/walk_memory.h"

#include "base/stack_bound.h"

namespace tain::internal {
namespace {

/// An address of its own in each thread.
const void* WalkThread() noexcept {
  static TAIN_FAST_THREAD_LOCAL char here;
  return &here;
}

}  // namespace

void WalkMemory::Look(int32_t type_index, const Known& known) {
  if (type_index < kTainStaticObjectBegin) ThrowNotMade("ffi.Object");
  const auto at = static_cast<size_t>(type_index);
  if (at >= entries.size()) entries.resize(std::max(at + 1, 2 * entries.size()));
  WalkEntry& entry = entries[at];
  entry.type = &WalkTypeOf(type_index);
  entry.attribute = known.attribute;
  entry.run = run;
  entry.slot = known.slot;
  entry.form = PartsOfType(type_index);
  entry.is_node = known.is_node;
  Settle(entry);
}

void WalkMemory::Settle(WalkEntry& entry) const noexcept {
  const bool calls = (entry.is_node && !(expr_is_default && default_is_default)) ||
                     !IsDefault(entry.slot) || entry.attribute != nullptr;
  entry.action = calls               ? WalkAction::kCall
                 : entry.has_parts() ? WalkAction::kWalk
                                     : WalkAction::kLeaf;
}

void WalkMemory::SetDefault(int32_t slot) {
  const auto at = static_cast<size_t>(slot);
  if (at >= default_slots.size()) default_slots.resize(at + 1);
  default_slots[at] = true;
}

void WalkMemory::Begin(const std::type_info* functor) {
  if (StackIsLow()) ThrowStackIsLow("visit");
  if (depth == 0) {
    ++run;
    thread = WalkThread();
    // While a base class is constructed, overrides of the derived class are not called yet.
    if (of == nullptr || functor == nullptr || *of != *functor) {
      of = functor;
      default_slots.clear();
      expr_is_default = default_is_default = false;
    }
  } else if (thread != WalkThread()) {
    TAIN_THROW(RuntimeError) << "visit: the visitor is at work in another thread";
  }
  ++depth;
}

}  // namespace tain::internal
