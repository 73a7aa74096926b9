// SPDX-License-Identifier: Apache-2.0
// The registry; see registry.h.
#include "registry/registry.h"

#include <mutex>

#include "base/fork.h"
#include "base/guard.h"
#include "tain/packed_func.h"

namespace tain::internal {

Registry::Registry() {
  AddBuiltinTypes(*this);
  AddBuiltinAttrs(*this);
}

Registry::~Registry() = default;

Registry& Registry::Default() { return NeverDestroyed<Registry>(); }

constinit const ForkSteps registry_fork = StepsFor<&Registry::Default>();

int32_t Registry::RequestType(const TainTypeRequest& request, Unit* unit) {
  std::unique_lock lock(mutex);
  const std::string_view key = TextOf(request.key, "type index request", "a key");
  const TypeEntry* parent = types.Find(request.parent);
  const bool follows_fault = unit != nullptr && !unit->faults.empty() && parent != nullptr &&
                             parent->dead();  // reported once, for the parent
  if (follows_fault || (unit != nullptr && unit->refused)) {
    return types.AddDead(key)->info.type_index;
  }
  if (!enums.empty() && enums.find(key) != enums.end()) {
    TAIN_THROW(ValueError) << key << ": the key belongs to an enum";
  }
  bool is_new = false;
  TypeEntry* entry = types.Request(request, unit, &is_new);
  if (!is_new) return entry->info.type_index;
  types.MapKey(entry);
  InheritKeyColumns(*this, entry->info.type_index, request.parent);
  if (unit != nullptr) {
    entry->provisional = unit;
    Journal(unit, TypeAdded{entry});
  }
  Touch();
  return entry->info.type_index;
}

int32_t KnownIndex(std::string_view key, int32_t unknown) noexcept {
  const Registry& registry = Registry::Default();
  const std::shared_lock lock(registry.mutex);
  const TypeEntry* entry = registry.types.FindKey(key);
  return entry == nullptr ? unknown : entry->info.type_index;
}

void Registry::KeepObject(TainObject* object) { Keep(Any(RefAccess::Share<Object>(object))); }

int32_t Registry::AddDeadType(std::string_view key) {
  std::unique_lock lock(mutex);
  return types.AddDead(key)->info.type_index;
}

}  // namespace tain::internal
