// SPDX-License-Identifier: Apache-2.0
// How objects of a type are compared and hashed. This depends on the registration of the type and
// its parents, and on classes of the host for single objects.
#pragma once

#include <vector>

#include "registry/type_facts.h"
#include "tain/any.h"
#include "tain/internal/value_ops.h"

namespace tain::internal {

enum class ValueRule : uint8_t {
  kIdentity,   ///< by address
  kFields,     ///< by fields
  kMethod,     ///< by the type's `__eq__` or `__hash__`
  kUnhashable  ///< has equality without a hash
};

/// How the registration of a type and its parents compares and hashes.
struct ValuePlan {
  static constexpr auto kPart = TypePart::kValue;
  ValueRule equal = ValueRule::kIdentity;
  ValueRule hash = ValueRule::kIdentity;
  TainObject* equal_method = nullptr;  ///< a Function that the type's record holds
  TainObject* hash_method = nullptr;
  std::vector<const TainFieldDef*> compared;
  std::vector<const TainFieldDef*> hashed;

  /// Whether equal objects of the type are the same key.
  bool by_value() const noexcept {
    return hash == ValueRule::kFields || hash == ValueRule::kMethod;
  }
};

/// Returns the plan of a type. An unregistered type has the plan of tain::Object.
const ValuePlan& PlanOf(int32_t type_index);

/// Returns the HostEqualityTraits of an object; 0 without a call if no class overrides anything.
int TraitsOf(TainObject* object);
/// The same, always by a call.
int HostTraitsOf(TainObject* object);
/// Whether the host class that objects of a type get has an override set for which `overrides` is
/// true. Objects of a class that the host derived are not meant: they have a set of their own.
bool ClassMayOverride(int32_t type_index, bool (*overrides)(uint32_t set) noexcept) noexcept;
/// Compares by the host.
bool HostEqual(const TainAny& a, const TainAny& b);
int64_t HostHash(const TainAny& value);
bool HasHost() noexcept;

/// Returns the value of a field as a view of the object's memory, or of `owner` if a getter made
/// it.
TainAny FieldView(TainObject* object, const TainFieldDef& field, Any* owner);
/// The same by the getter.
TainAny GetterView(TainObject* object, const TainFieldDef& field, Any* owner);

/// Calls a method that returns an int or bool.
int64_t CallForInt(TainObject* method, const TainAny* args, int32_t num_args, const char* name);

/// Converts a member of an enum to its int or text; a view.
TainAny PlainValue(const TainAny& value) noexcept;

/// Returns the result of `__any_hash__`; the address for objects that equal only themselves.
uint64_t ObjectKeyHash(TainObject* object);
/// Returns the result of `__any_equal__` for two objects of one type.
bool ObjectKeysEqual(TainObject* a, TainObject* b);

}  // namespace tain::internal
