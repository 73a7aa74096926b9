// SPDX-License-Identifier: Apache-2.0
// Plans of types for structural operations; see structural_plan.h.
#include "compare/structural_plan.h"

#include "base/guard.h"
#include "compare/structural_leaf.h"
#include "registry/type_column.h"
#include "tain/internal/structural_kinds.h"
#include "tain/virtual.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

constinit TypeColumn structural_equal_column{kEqualHook};
constinit TypeColumn structural_hash_column{kHashHook};

constexpr uint32_t kEqualHookBit = OverrideBit(kEqualHook);
constexpr uint32_t kHashHookBit = OverrideBit(kHashHook);

/// Returns the hook of the nearest type that has one, as an attribute or as a method.
const TainAny* HookOf(const TypeChain& chain, TypeColumn& column, std::string_view name) {
  for (const TainTypeRecord* record : chain) {
    if (const TainAny* hook = column.Find(record->info->type_index)) return hook;
    if (const TainMethodDef* method = OwnMethod(*record, name)) return &method->info.method;
  }
  return nullptr;
}

bool HoldsNoObject(int32_t kind) noexcept {
  return kind != kTainFieldAny && kind != kTainFieldObject && kind != kTainFieldOpaque;
}

/// Returns the kind of the nearest type that states one.
StructuralKind KindOf(const TypeChain& chain) noexcept {
  for (const TainTypeRecord* record : chain) {
    const TainTypeMetadata* metadata = record->info->metadata;
    if (metadata == nullptr) continue;
    const int32_t kind = metadata->structural_eq_hash_kind;
    if (NameOfStructuralKind(kind) != nullptr) return static_cast<StructuralKind>(kind);
  }
  return StructuralKind::kTree;
}

void FillStructuralPlan(const TypeFacts& facts, StructuralPlan& plan) {
  plan.kind = KindOf(facts.chain);
  plan.key_hash = StableTextHash(View(facts.record().info->type_key));
  plan.equal_hook = HookOf(facts.chain, structural_equal_column, kEqualHook);
  plan.hash_hook = HookOf(facts.chain, structural_hash_column, kHashHook);
  plan.is_flat = true;
  for (const TainFieldDef* field : facts.fields) {
    const int64_t flags = field->info.flags;
    if ((flags & kTainFieldNoStructuralEq) != 0) continue;
    const Region defines = (flags & kTainFieldDefPattern) != 0  ? Region::kDef
                           : (flags & kTainFieldSimpleDef) != 0 ? Region::kSimpleDef
                                                                : Region::kUse;
    plan.fields.push_back({field, field->info.offset, field->kind, defines});
    plan.is_flat = plan.is_flat && HoldsNoObject(field->kind);
  }
}

bool SetHasHook(uint32_t index) noexcept {
  TainOverrideSet& set = TainOverrideSets[index];
  return IsInOverrideSet(set, kEqualHookBit) || IsInOverrideSet(set, kHashHookBit);
}

}  // namespace

void StructuralPlans::Fill(KnownType& known, int32_t type_index) {
  known.plan = &FactsOf(type_index).Get<StructuralPlan>(&FillStructuralPlan);
  known.host_hooks = ClassMayOverride(type_index, &SetHasHook);
  known.index = type_index;
}

bool MayHaveHostHook(TainObject* object, const KnownType& type) noexcept {
  const uint32_t word = std::atomic_ref<uint32_t>(object->reserved).load(std::memory_order_acquire);
  if ((word & kTainHeaderHasPrefix) == 0) return type.host_hooks;
  const uint32_t index = (word >> kTainHeaderSetShift) & (kTainOverrideSetCount - 1);
  if (TAIN_UNLIKELY(index != 0)) return SetHasHook(index);
  if (TAIN_LIKELY(!type.host_hooks)) return false;
  // The class of a live wrapper without a set overrides nothing.
  const std::atomic_ref<uintptr_t> tie(TainObjectPrefixOf(object)->tie);
  return tie.load(std::memory_order_acquire) == 0;
}

bool HasHostHook(TainObject* object, const KnownType& type, int hook) {
  return MayHaveHostHook(object, type) && (HostTraitsOf(object) & hook) != 0;
}

}  // namespace tain::internal
