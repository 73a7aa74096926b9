// SPDX-License-Identifier: Apache-2.0
// The description of a type for loading; see load_type.h.
#include "load/load_type.h"

#include <algorithm>
#include <numeric>

#include "base/error_object.h"
#include "base/guard.h"
#include "base/text_repr.h"
#include "dynamic/dynamic_type.h"
#include "graphs/rebuild.h"
#include "registry/object_maker.h"
#include "values/container_detail.h"
#include "values/field_memory.h"

namespace tain::internal {
namespace {

bool IsWritable(const TainFieldDef& field) noexcept {
  return (field.info.flags & kTainFieldWritable) != 0;
}

/// Whether a constructor can be called with the values of fields by position.
bool TakesPositions(const MakePlan* plan) noexcept {
  if (plan == nullptr || (plan->info->flags & kTainCallPacked) != 0) return false;
  constexpr int32_t kOther = kTainArgKwOnly | kTainArgVarPositional | kTainArgVarKeyword |
                             kTainArgUnchanged | kTainArgOptional;
  for (int32_t i = 0; i < plan->info->num_args; ++i) {
    const int32_t flags = plan->info->args[i].flags;
    if ((flags & kOther) != 0) return false;
    // MakeFromFields has the words for a constructor with a parameter that is no field.
    if (plan->field_of_param[static_cast<size_t>(i)] < 0 && (flags & kTainArgHasDefault) == 0) {
      return false;
    }
  }
  return true;
}

/// Whether the setters of all fields work: those of const members do not. Tries it with an object
/// of its own.
bool CanSetAll(const LoadType& type) {
  std::optional<Any> trial;
  for (const SaveField& field : type.fields) {
    if (IsWritable(*field.def)) continue;
    if (!trial) trial = MakeDefault(*type.record);
    TainObject* object = trial->data().v_obj;
    Any owner;
    const Any value{AnyView(FieldView(object, *field.def, &owner))};
    try {
      if (!TryWriteField(object, *field.def, value.data())) return false;
    } catch (const Error&) {
      // The setter is there, and refuses this value.
    }
  }
  return true;
}

LoadMake MakeOf(const LoadType& type) {
  if (TainTypeHasDefault(type.type_index) != 0 && CanSetAll(type)) return LoadMake::kDefault;
  return TakesPositions(type.plan) ? LoadMake::kCall : LoadMake::kFields;
}

void Exchange(TainAny* place, Any* value) noexcept {
  const TainAny old = *place;
  *place = value->Release();
  Drop(old);
}

/// Writes a value that fits the field's memory as it is. Returns false if the setter must be asked.
bool StoreDirectly(TainObject* object, const TainFieldDef& field, Any* value) noexcept {
  const TainAny& data = value->data();
  if ((field.access & kTainFieldChecked) != 0) return false;
  const int64_t offset = field.info.offset;
  switch (field.kind) {
    case kTainFieldString:
      if (data.type_index != kTainSmallStr && data.type_index != kTainStr) return false;
      Exchange(&FieldAt<TainAny>(object, offset), value);
      return true;
    case kTainFieldObject: {
      // A handle that is empty, although its type says that it never is, reads as None.
      if (data.type_index == kTainNone && FieldAt<TainObject*>(object, offset) == nullptr)
        return true;
      if ((field.access & kTainFieldDirectWrite) == 0) return false;
      if (data.type_index < kTainStaticObjectBegin ||
          TainTypeIsInstance(data.type_index, field.object_type_index) == 0) {
        return false;
      }
      TainObject*& place = FieldAt<TainObject*>(object, offset);
      TainObject* old = std::exchange(place, value->Release().v_obj);
      if (old != nullptr) DecRef(old);
      return true;
    }
    default: return StoreNumber(object, offset, field.kind, data);
  }
}

}  // namespace

int32_t LoadType::SlotOf(std::string_view name) const noexcept {
  const auto at = std::lower_bound(
      by_name.begin(), by_name.end(), name,
      [this](int32_t i, std::string_view wanted) { return field(i).name < wanted; });
  return at != by_name.end() && field(*at).name == name ? *at : -1;
}

const TainArgInfo* LoadType::ParamOf(size_t slot) const noexcept {
  if (plan == nullptr || (plan->info->flags & kTainCallPacked) != 0) return nullptr;
  const int32_t param = plan->fields[slot].param;
  return param < 0 ? nullptr : &plan->info->args[param];
}

bool LoadTypes::IsAllowed(std::string_view key) const noexcept {
  if (!options_.allow) return true;
  for (std::string_view entry : *options_.allow) {
    if (entry.ends_with('.')) entry.remove_suffix(1);
    if (!key.starts_with(entry) || entry.empty()) continue;
    if (key.size() == entry.size() || key[entry.size()] == '.') return true;
  }
  return false;
}

std::unique_ptr<LoadType> LoadTypes::Make(std::string_view key, int64_t version) const {
  std::string shown;
  AppendStrRepr(Utf8Prefix(key, 200), &shown);
  if (!IsAllowed(key)) TAIN_THROW(ValueError) << "the type " << shown << " is not in allow=";
  const TainByteArray bytes{key.data(), key.size()};
  const int32_t index = TainTypeGetOrAllocIndex(&bytes, -1, 0, 0, 0, -2);
  const TainTypeRecord* record = index < 0 ? nullptr : TainGetTypeRecord(index);
  if (record == nullptr || (record->def.flags & kTainTypeDead) != 0) {
    TAIN_THROW(ValueError) << "the type " << shown << " is not registered";
  }
  if (index < kTainDynObjectBegin || (record->def.flags & kTainTypeAbstract) != 0) {
    TAIN_THROW(ValueError) << "the type " << shown << " has no objects that can be loaded";
  }
  auto type = std::make_unique<LoadType>();
  type->key = key;
  type->version = version;
  type->type_index = index;
  type->record = record;
  type->plan = MakePlansOf(*record).single();
  type->fields = SaveFieldsOf(index);
  type->by_name.resize(type->fields.size());
  std::iota(type->by_name.begin(), type->by_name.end(), 0);
  std::sort(type->by_name.begin(), type->by_name.end(),
            [&](int32_t a, int32_t b) { return type->field(a).name < type->field(b).name; });
  type->upgrade = UpgradeOf(key);
  if (version > type->upgrade.version) {
    TAIN_THROW(ValueError) << "the data has version " << version << " of the type " << shown
                           << ", which has version " << type->upgrade.version
                           << " here: load it with the later program";
  }
  type->make = MakeOf(*type);
  int has_hook = FromDataHook(index) != nullptr ? 1 : 0;
  if (const HostSaving* host = SavingHost(); has_hook == 0 && host != nullptr) {
    ThrowIfFailed(host->has_from_hook(index, &has_hook));
  }
  type->has_hook = has_hook != 0;
  return type;
}

LoadType& LoadTypes::Get(std::string_view key, int64_t version) {
  name_ = key;
  if (version != 1) {
    name_ += '\n';  // no key has it
    name_ += std::to_string(version);
  }
  const auto found = types_.find(name_);
  if (TAIN_LIKELY(found != types_.end())) return *found->second;
  std::unique_ptr<LoadType> made = Make(key, version);
  return *(types_[name_] = std::move(made));
}

int SetNewField(TainObject* object, const TainFieldDef& field, Any* value) {
  if (field.is_enum == 0 && IsWritable(field) && StoreDirectly(object, field, value)) return 0;
  return SetField(field, object, value->data());
}

Any DefaultOfParam(const TainArgInfo& param) {
  if ((param.flags & kTainArgFactory) == 0) return Any(AnyView(param.default_value));
  TainAny made{};
  ThrowIfFailed(TainFunctionCall(param.default_value.v_obj, nullptr, 0, &made));
  return Any::Steal(made);
}

}  // namespace tain::internal
