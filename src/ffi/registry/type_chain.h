// SPDX-License-Identifier: Apache-2.0
// A type with its parents, and whether their registrations have changed.
#pragma once

#include <atomic>
#include <vector>

#include "registry/type_slots.h"
#include "tain/base.h"

namespace tain::internal {

/// The records of a type, its parent ... up to tain::Object.
using TypeChain = std::vector<const TainTypeRecord*>;

/// Returns the record of a type. Throws ValueError if there is none.
const TainTypeRecord& RegisteredType(int32_t type_index);
/// Returns a member of a name among those of one kind that a type itself has; null if there is none.
template <class T>
const T* FindNamed(const T* const* members, int32_t count, std::string_view name) noexcept {
  for (int32_t i = 0; i < count; ++i) {
    const TainByteArray* have;
    if constexpr (requires { members[i]->info; }) {
      have = &members[i]->info.name;
    } else {
      have = &members[i]->name;
    }
    if (std::string_view(have->data, have->size) == name) return members[i];
  }
  return nullptr;
}
/// Returns the type's own method of a name, without those of its parents; null if there is none.
inline const TainMethodDef* OwnMethod(const TainTypeRecord& record,
                                      std::string_view name) noexcept {
  return FindNamed(record.methods, record.num_methods, name);
}
/// Returns the chain of a type. An unregistered type has the chain of tain::Object.
TypeChain ChainOf(int32_t type_index);
/// Returns a number that changes when flags, metadata or members of the types are registered,
/// replaced or withdrawn.
uint64_t StampOf(const TypeChain& chain) noexcept;

/// The plans of an operation, one for each type, made from its chain. `Plan` has the members
/// `chain` and `stamp` and is never freed, because it is read without a lock.
template <class Plan>
class PlanCache {
 public:
  /// Returns the plan of a type. `fill(plan)` completes a new plan, whose chain and stamp are set.
  /// A plan that was made for another `key` is made again.
  template <class Fill>
  const Plan& Get(int32_t type_index, Fill&& fill, uint64_t key = 0) {
    if (TAIN_UNLIKELY(TainGetTypeRecord(type_index) == nullptr)) type_index = kTainObject;
    std::atomic<const Plan*>& slot = slots_.At(type_index).plan;
    const Plan* known = slot.load(std::memory_order_acquire);
    if (TAIN_LIKELY(known != nullptr && known->stamp == StampOf(known->chain) + key)) {
      return *known;
    }
    auto made = std::make_unique<Plan>();
    made->chain = ChainOf(type_index);
    made->stamp = StampOf(made->chain) + key;
    fill(*made);
    const Plan* result = made.release();  // the old one is not deleted: it may be in use
    slot.store(result, std::memory_order_release);
    return *result;
  }

 private:
  struct Slot {
    std::atomic<const Plan*> plan{nullptr};
  };
  TypeSlots<Slot> slots_;
};

}  // namespace tain::internal
