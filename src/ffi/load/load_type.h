// SPDX-License-Identifier: Apache-2.0
// The description of a type for loading: how its objects are made of the values of fields.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "save/save_type.h"
#include "tain/graph/upgrade.h"
#include "tain/internal/make_plan.h"

namespace tain::internal {

/// How an object is made.
enum class LoadMake : uint8_t {
  kDefault,  ///< by the default constructor when the node begins; the fields are set at its end
  kCall,     ///< by a constructor whose positional parameters are fields, at the end of the node
  kFields,   ///< by MakeFromFields, at the end of the node
  kHook      ///< by `__data_from_json__`
};

/// A type during one load.
struct LoadType {
  std::string key;
  int64_t version = 1;  ///< of the data
  int32_t type_index = 0;
  const TainTypeRecord* record = nullptr;
  std::span<const SaveField> fields;
  std::vector<int32_t> by_name;  ///< the places of the fields, sorted by their names
  LoadMake make = LoadMake::kDefault;
  bool has_hook = false;
  const MakePlan* plan = nullptr;  ///< of a constructor without overloads, for kCall and defaults
  Upgrade upgrade;

  const SaveField& field(int32_t slot) const noexcept { return fields[static_cast<size_t>(slot)]; }
  /// Returns the slot of a field, or -1.
  int32_t SlotOf(std::string_view name) const noexcept;
  /// Returns the parameter of the constructor that sets the field of a slot, or null.
  const TainArgInfo* ParamOf(size_t slot) const noexcept;
};

/// The types that one load meets.
class LoadTypes {
 public:
  explicit LoadTypes(const LoadOptions& options) : options_(options) {}

  /// Returns a type. Throws ValueError, without a place, if it is not registered, not allowed, or
  /// has no objects that can be made.
  LoadType& Get(std::string_view key, int64_t version);

 private:
  bool IsAllowed(std::string_view key) const noexcept;
  std::unique_ptr<LoadType> Make(std::string_view key, int64_t version) const;

  const LoadOptions& options_;
  std::unordered_map<std::string, std::unique_ptr<LoadType>> types_;  ///< by key and version
  std::string name_;  ///< room for a name to look up
};

/// Writes the value of a field of a new object that its default constructor made. Takes the value.
/// Returns 0, or -1 with the error raised.
int SetNewField(TainObject* object, const TainFieldDef& field, Any* value);

/// Returns the default of a parameter.
Any DefaultOfParam(const TainArgInfo& param);

}  // namespace tain::internal
