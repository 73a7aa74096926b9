// SPDX-License-Identifier: Apache-2.0
// How objects of a type are compared and hashed; see value_plan.h.
#include "values/value_plan.h"

#include <atomic>
#include <string_view>

#include "base/guard.h"
#include "registry/type_slots.h"
#include "tain/internal/field_target.h"
#include "tain/internal/host_value.h"
#include "tain/virtual.h"
#include "values/field_memory.h"

namespace tain::internal {
namespace {

std::atomic<const HostEquality*> current_host{nullptr};

constexpr uint32_t kEqualBit = OverrideBit("__eq__");
constexpr uint32_t kHashBit = OverrideBit("__hash__");

// ---------------------------------------------------------------- data of each type

struct Slot {
  std::atomic<uint32_t> override_set{0};  ///< of the class of new objects; 0: no overrides
};
constinit TypeSlots<Slot> class_slots;

// ---------------------------------------------------------------- plans

TainObject* MethodOf(const TainTypeRecord& record, std::string_view name) noexcept {
  const TainMethodDef* method = OwnMethod(record, name);
  const bool found = method != nullptr && (method->info.flags & kTainMethodStatic) == 0;
  return found ? method->info.method.v_obj : nullptr;
}

/// Finds the nearest type of the chain that defines equality.
void FindEqual(const TypeChain& chain, ValuePlan& plan) noexcept {
  constexpr int64_t kCompares = kTainTypeEq | kTainTypeOrder | kTainTypeHash;
  for (const TainTypeRecord* record : chain) {
    plan.equal_method = MethodOf(*record, "__eq__");
    if (plan.equal_method != nullptr) plan.equal = ValueRule::kMethod;
    if (plan.equal_method == nullptr && (record->def.flags & kCompares) != 0) {
      plan.equal = ValueRule::kFields;
    }
    if (plan.equal != ValueRule::kIdentity) return;
  }
}

/// Finds the nearest type of the chain that defines the hash. A nearer type that defines only
/// equality makes the objects unhashable.
void FindHash(const TypeChain& chain, ValuePlan& plan) noexcept {
  for (const TainTypeRecord* record : chain) {
    plan.hash_method = MethodOf(*record, "__hash__");
    const bool compares = (record->def.flags & (kTainTypeEq | kTainTypeOrder)) != 0 ||
                          MethodOf(*record, "__eq__") != nullptr;
    if (plan.hash_method != nullptr) {
      plan.hash = ValueRule::kMethod;
    } else if ((record->def.flags & kTainTypeHash) != 0) {
      plan.hash = ValueRule::kFields;
    } else if (compares) {
      plan.hash = ValueRule::kUnhashable;
    }
    if (plan.hash != ValueRule::kIdentity) return;
  }
}

void FillValuePlan(const TypeFacts& facts, ValuePlan& plan) {
  FindEqual(facts.chain, plan);
  FindHash(facts.chain, plan);
  for (const TainFieldDef* field : facts.fields) {
    const int64_t flags = field->info.flags;
    if ((flags & kTainFieldNoCompare) != 0) continue;
    plan.compared.push_back(field);
    if ((flags & kTainFieldNoHash) == 0) plan.hashed.push_back(field);
  }
}

// ---------------------------------------------------------------- classes of the host

bool SetHasEquality(uint32_t index) noexcept {
  TainOverrideSet& set = TainOverrideSets[index];
  return IsInOverrideSet(set, kEqualBit) || IsInOverrideSet(set, kHashBit);
}

bool MayOverrideEquality(TainObject* object) noexcept {
  const uint32_t word = std::atomic_ref<uint32_t>(object->reserved).load(std::memory_order_acquire);
  if ((word & kTainHeaderHasPrefix) == 0) {
    return ClassMayOverride(object->type_index, &SetHasEquality);
  }
  const uint32_t index = (word >> kTainHeaderSetShift) & (kTainOverrideSetCount - 1);
  if (index != 0) return SetHasEquality(index);
  const std::atomic_ref<uintptr_t> tie(TainObjectPrefixOf(object)->tie);
  // The class of the live wrapper overrides nothing.
  if (tie.load(std::memory_order_acquire) != 0) return false;
  return ClassMayOverride(object->type_index, &SetHasEquality);
}

}  // namespace

const ValuePlan& PlanOf(int32_t type_index) {
  return FactsOf(type_index).Get<ValuePlan>(&FillValuePlan);
}

int TraitsOf(TainObject* object) {
  return TAIN_LIKELY(!MayOverrideEquality(object)) ? 0 : HostTraitsOf(object);
}

int HostTraitsOf(TainObject* object) {
  const HostEquality* host = current_host.load(std::memory_order_acquire);
  if (host == nullptr) return 0;
  int traits = 0;
  ThrowIfFailed(host->traits(object, &traits));
  return traits;
}

bool HasHost() noexcept { return current_host.load(std::memory_order_acquire) != nullptr; }

bool HostEqual(const TainAny& a, const TainAny& b) {
  int equal = 0;
  ThrowIfFailed(current_host.load(std::memory_order_acquire)->equal(&a, &b, &equal));
  return equal != 0;
}

int64_t HostHash(const TainAny& value) {
  int64_t hash = 0;
  ThrowIfFailed(current_host.load(std::memory_order_acquire)->hash(&value, &hash));
  return hash;
}

TainAny FieldView(TainObject* object, const TainFieldDef& field, Any* owner) {
  TainAny view;
  if (ViewAt(object, field.info.offset, field.kind, &view)) return view;
  return GetterView(object, field, owner);
}

TainAny GetterView(TainObject* object, const TainFieldDef& field, Any* owner) {
  TainAny made{};
  ThrowIfFailed(GetField(field, object, &made));
  *owner = Any::Steal(made);
  return owner->data();
}

int64_t CallForInt(TainObject* method, const TainAny* args, int32_t num_args, const char* name) {
  TainAny result{};
  ThrowIfFailed(TainFunctionCall(method, args, num_args, &result));
  const Any owned = Any::Steal(result);
  if (owned.type_index() != kTainInt && owned.type_index() != kTainBool) {
    TAIN_THROW(TypeError) << TypeNameOf(args[0]) << "." << name << ": expected int, got "
                          << TypeNameOf(owned.data());
  }
  return owned.data().v_int64;
}

TainAny PlainValue(const TainAny& value) noexcept {
  HostMember member;
  const bool is_member = value.type_index == kTainOpaquePyObject && HostMemberOf(value, &member);
  return TAIN_UNLIKELY(is_member) ? member.value : value;
}

bool ClassMayOverride(int32_t type_index, bool (*overrides)(uint32_t set) noexcept) noexcept {
  while (type_index >= kTainStaticObjectBegin) {
    Slot* slot = class_slots.Find(type_index);
    const uint32_t index = slot == nullptr ? 0 : slot->override_set.load(std::memory_order_acquire);
    if (index != 0) return overrides(index);
    const TainTypeRecord* record = TainGetTypeRecord(type_index);
    if (record == nullptr) return false;
    type_index = record->request.parent;
  }
  return false;
}

void SetHostEquality(const HostEquality* host) noexcept {
  current_host.store(host, std::memory_order_release);
}

void SetClassOverrideSet(int32_t type_index, uint32_t set) {
  class_slots.At(type_index).override_set.store(set, std::memory_order_release);
}

}  // namespace tain::internal
