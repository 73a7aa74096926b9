// SPDX-License-Identifier: Apache-2.0
// The description of a type for saving; see save_type.h.
#include "save/save_type.h"

#include <map>
#include <mutex>
#include <string>

#include "base/fork.h"
#include "base/guard.h"
#include "json/json_text.h"
#include "registry/type_column.h"
#include "tain/graph/upgrade.h"
#include "tain/internal/type_state.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

constinit TypeColumn to_data_column("__data_to_json__");
constinit TypeColumn from_data_column("__data_from_json__");
std::atomic<const HostSaving*> saving_host{nullptr};

/// The registered upgrades, whose functions may belong to the host.
struct UpgradeTable {
  std::mutex mutex;
  std::map<std::string, Upgrade, std::less<>> by_key;
};
UpgradeTable& Upgrades() { return NeverDestroyed<UpgradeTable>(); }

const TainAny* InheritedHook(TypeColumn& column, int32_t type_index) noexcept {
  while (type_index >= kTainDynObjectBegin) {
    const TainAny* found = column.Find(type_index);
    if (found != nullptr && found->type_index == kTainFunction) return found;
    const TainTypeRecord* record = TainGetTypeRecord(type_index);
    if (record == nullptr) return nullptr;
    type_index = record->request.parent;
  }
  return nullptr;
}

WireKind WireKindOf(const TainFieldDef& field) noexcept {
  if (field.is_enum != 0) return WireKind::kTagged;
  switch (field.kind) {
    case kTainFieldBool: return WireKind::kBool;
    case kTainFieldUInt64: return WireKind::kTagged;  // it may be beyond int64
    case kTainFieldFloat32: return WireKind::kFloat;
    case kTainFieldFloat64: return WireKind::kDouble;
    case kTainFieldString: return WireKind::kText;
    default: return IsIntKind(field.kind) ? WireKind::kInt : WireKind::kTagged;
  }
}

void FillSaveFields(const TypeFacts& facts, SaveFields& fields) {
  for (const TainFieldDef* field : facts.fields) {
    const std::string_view name = View(field->info.name);
    const int32_t kind = field->is_enum != 0 ? int32_t{kTainFieldOpaque} : field->kind;
    std::string json;
    WriteJsonString(name, &json);
    fields.all.push_back(
        {field, name, WireKindOf(*field), kind, field->info.offset, std::move(json) + ":"});
  }
}

}  // namespace

std::span<const SaveField> SaveFieldsOf(int32_t type_index) {
  return FactsOf(type_index).Get<SaveFields>(&FillSaveFields).all;
}

const ForkSteps upgrades_fork = StepsFor<&Upgrades>();

SaveType MakeSaveType(int32_t type_index) {
  SaveType type;
  const TainTypeInfo* info = TainGetTypeInfo(type_index);
  if (info == nullptr) TAIN_THROW(TypeError) << "an object of an unknown type cannot be saved";
  type.key = View(info->type_key);
  type.fields = SaveFieldsOf(type_index);
  type.version = UpgradeOf(type.key).version;
  type.to_data = ToDataHook(type_index);
  type.loses_state = UnregisteredBytes(type_index) != 0;
  if (const HostSaving* host = SavingHost()) {
    int has_hook = 0;
    ThrowIfFailed(host->has_hook(type_index, &has_hook));
    type.asks_host = has_hook != 0;
  }
  return type;
}

const TainAny* ToDataHook(int32_t type_index) noexcept {
  return InheritedHook(to_data_column, type_index);
}
const TainAny* FromDataHook(int32_t type_index) noexcept {
  return InheritedHook(from_data_column, type_index);
}

Upgrade UpgradeOf(std::string_view key) {
  UpgradeTable& table = Upgrades();
  const std::lock_guard lock(table.mutex);
  const auto found = table.by_key.find(key);
  return found == table.by_key.end() ? Upgrade{} : found->second;
}

void SetUpgrade(std::string_view key, Function upgrade, int64_t version) {
  if (version < 1) {
    TAIN_THROW(ValueError) << "register_upgrade: version: expected 1 or more, got " << version;
  }
  UpgradeTable& table = Upgrades();
  Upgrade entry{std::move(upgrade), version};
  {
    const std::lock_guard lock(table.mutex);
    std::swap(table.by_key[std::string(key)], entry);
  }  // the old function is dropped without the lock, because that may run code of the host
}

const HostSaving* SavingHost() noexcept { return saving_host.load(std::memory_order_acquire); }
void SetHostSaving(const HostSaving* host) noexcept {
  saving_host.store(host, std::memory_order_release);
}

}  // namespace tain::internal
