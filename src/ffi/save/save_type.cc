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

/// The registered upgrades. Never destroyed, because the functions may belong to the host.
struct UpgradeTable {
  std::mutex mutex;
  std::map<std::string, Upgrade, std::less<>> by_key;
};
UpgradeTable& Upgrades() {
  static auto* table = new UpgradeTable();
  return *table;
}

std::mutex& UpgradesLock() { return Upgrades().mutex; }

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
    case kTainFieldInt8:
    case kTainFieldInt16:
    case kTainFieldInt32:
    case kTainFieldInt64:
    case kTainFieldUInt8:
    case kTainFieldUInt16:
    case kTainFieldUInt32: return WireKind::kInt;
    case kTainFieldFloat32: return WireKind::kFloat;
    case kTainFieldFloat64: return WireKind::kDouble;
    case kTainFieldString: return WireKind::kText;
    default: return WireKind::kTagged;
  }
}

template <class T>
int64_t IntegerAt(const TainObject* object, const TainFieldDef& field) noexcept {
  // The field's kind guarantees that there is a T at the offset.
  const char* address = reinterpret_cast<const char*>(object) + field.info.offset;
  return static_cast<int64_t>(*reinterpret_cast<const T*>(address));
}

TainAny IntegerView(int64_t value) noexcept {
  TainAny view{};
  view.type_index = kTainInt;
  view.v_int64 = value;
  return view;
}

}  // namespace

const ForkSteps upgrades_fork = StepsFor<&UpgradesLock>();

SaveType MakeSaveType(int32_t type_index) {
  SaveType type;
  const TainTypeInfo* info = TainGetTypeInfo(type_index);
  if (info == nullptr) TAIN_THROW(TypeError) << "an object of an unknown type cannot be saved";
  type.key = View(info->type_key);
  for (const TainFieldDef* field : GraphTypeOf(type_index).fields) {
    const std::string_view name = View(field->info.name);
    const int32_t kind = field->is_enum != 0 ? int32_t{kTainFieldOpaque} : field->kind;
    type.fields.push_back(
        {field, name, WireKindOf(*field), kind, field->info.offset, JsonName(name) + ":"});
  }
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

TainAny ReadField(TainObject* object, const TainFieldDef& field, Any* owner) {
  if (field.is_enum == 0) {
    switch (field.kind) {
      case kTainFieldInt8: return IntegerView(IntegerAt<int8_t>(object, field));
      case kTainFieldInt16: return IntegerView(IntegerAt<int16_t>(object, field));
      case kTainFieldUInt8: return IntegerView(IntegerAt<uint8_t>(object, field));
      case kTainFieldUInt16: return IntegerView(IntegerAt<uint16_t>(object, field));
      case kTainFieldUInt32: return IntegerView(IntegerAt<uint32_t>(object, field));
      default: break;
    }
  }
  return FieldView(object, field, owner);
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

std::string JsonName(std::string_view name) {
  std::string text;
  WriteJsonString(name, &text);
  return text;
}

}  // namespace tain::internal
