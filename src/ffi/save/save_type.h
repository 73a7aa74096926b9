// SPDX-License-Identifier: Apache-2.0
// The description of a type for saving: its fields, hook and version. And the upgrades of loading.
#pragma once

#include <optional>
#include <span>

#include "registry/type_facts.h"
#include "tain/function.h"
#include "tain/internal/saving.h"
#include "values/field_memory.h"
#include "values/value_plan.h"

namespace tain::internal {

/// How the binary form writes the values of a field.
enum class WireKind : uint8_t {
  kTagged = 0,
  kInt = 1,
  kBool = 2,
  kDouble = 3,
  kFloat = 4,
  kText = 5
};

/// A field of a type.
struct SaveField {
  const TainFieldDef* def;
  std::string_view name;
  WireKind wire;
  int32_t kind;      ///< TainFieldKind; opaque for enums
  int64_t offset;    ///< bytes from the header
  std::string json;  ///< `"name":`
};

/// The fields of a type in saved data, those of the parents first.
struct SaveFields {
  static constexpr auto kPart = TypePart::kSave;
  std::vector<SaveField> all;
};
/// Returns the fields of a type.
std::span<const SaveField> SaveFieldsOf(int32_t type_index);

/// A type during one save.
struct SaveType {
  std::string_view key;
  std::span<const SaveField> fields;
  int64_t version = 1;
  bool loses_state = false;          ///< the fields are not all of its objects' state
  bool asks_host = false;            ///< the class that new wrappers get has a hook
  const TainAny* to_data = nullptr;  ///< `__data_to_json__`, a Function, or null
  int64_t number = -1;               ///< in the binary form
};

/// Describes a type. Throws TypeError if its objects cannot be saved.
SaveType MakeSaveType(int32_t type_index);

/// Returns the value of a field as a view of the object's memory, or of `owner` if a getter made it.
inline TainAny ReadField(TainObject* object, const SaveField& field, Any* owner) {
  TainAny view;
  if (TAIN_LIKELY(ViewAt(object, field.offset, field.kind, &view))) return view;
  return GetterView(object, *field.def, owner);
}

/// Returns the hook of a type or of its nearest parent that has one, or null.
const TainAny* ToDataHook(int32_t type_index) noexcept;
const TainAny* FromDataHook(int32_t type_index) noexcept;

/// How old data of a type is turned into the present one.
struct Upgrade {
  std::optional<Function> function;
  int64_t version = 1;  ///< of the present data
};
/// Returns the upgrade of a key; one without a function if none is registered.
Upgrade UpgradeOf(std::string_view key);

/// Returns the functions of the host, or null.
const HostSaving* SavingHost() noexcept;

}  // namespace tain::internal
