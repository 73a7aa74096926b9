// SPDX-License-Identifier: Apache-2.0
// What operations know of a type: its parents, its fields, and a part for each operation, made when
// it is first asked for. All of it ends together, when something is registered of the type or of a
// parent, replaced or withdrawn (TypeEntry::revision). It is never freed, because it is read without
// a lock.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "registry/type_chain.h"

namespace tain::internal {

struct TypeEntry;

/// The parts that operations keep. The struct of a part names it: `static constexpr auto kPart`.
enum class TypePart : uint8_t {
  kState,      ///< StatePlan, registry/type_state.cc
  kValue,      ///< ValuePlan, values/value_plan.h
  kMake,       ///< MakersOfType, graphs/make_plan.cc
  kWalk,       ///< WalkType, walk/walk_type.h
  kStructure,  ///< StructuralPlan, compare/structural_plan.h
  kSave,       ///< SaveFields, save/save_type.h
  kCount
};

class TypeFacts {
 public:
  /// `previous` are the facts before the last change, which may be in use; null for none.
  TypeFacts(const TypeEntry& entry, const TypeFacts* previous);

  TypeChain chain;                          ///< the type, its parent ...
  std::vector<const TainFieldDef*> fields;  ///< those of the parents first

  const TainTypeRecord& record() const noexcept { return *chain.front(); }

  /// Whether nothing has changed since this was made.
  bool IsCurrent() const noexcept;

  /// Returns the part of an operation. `fill(facts, part)` completes a new one.
  template <class Part, class Fill>
  const Part& Get(Fill&& fill) const {
    std::atomic<const void*>& slot = parts_[static_cast<size_t>(Part::kPart)];
    const void* known = slot.load(std::memory_order_acquire);
    if (TAIN_UNLIKELY(known == nullptr)) {
      auto made = std::make_unique<Part>();
      fill(*this, *made);
      if (slot.compare_exchange_strong(known, made.get())) known = made.release();
    }
    return *static_cast<const Part*>(known);
  }

 private:
  std::vector<const TypeEntry*> entries_;
  uint64_t revision_ = 0;                             ///< the sum of those of the entries
  [[maybe_unused]] const TypeFacts* const previous_;  ///< held, as long as the process lives
  mutable std::array<std::atomic<const void*>, static_cast<size_t>(TypePart::kCount)> parts_{};
};

/// Returns the facts about a type. An unregistered type has those of tain::Object.
const TypeFacts& FactsOf(int32_t type_index);

/// Returns a field of a type by name, or null.
const TainFieldDef* FieldNamed(const TypeFacts& type, std::string_view name) noexcept;

/// Returns `key.name` for messages.
std::string FieldPlace(int32_t type_index, const TainFieldDef& field);

}  // namespace tain::internal
