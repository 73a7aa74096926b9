// SPDX-License-Identifier: Apache-2.0
// How objects of a type are compared and hashed: what the registration of the type and of its
// parents says, and what classes of the host say about single objects.
#pragma once

#include <vector>

#include "tain/any.h"
#include "tain/internal/value_ops.h"

namespace tain::internal {

enum class ValueRule : uint8_t {
  kIdentity,   ///< the address decides
  kFields,     ///< the fields do
  kMethod,     ///< the type's own `__eq__` or `__hash__`
  kUnhashable  ///< equality without a hash
};

/// What a type and its parents were registered with. Lives for ever, because it is read without a
/// lock.
struct ValuePlan {
  std::vector<const TainTypeRecord*> chain;  ///< the type, its parent ...
  uint64_t stamp = 0;                        ///< of the chain's members when the plan was made
  ValueRule equal = ValueRule::kIdentity;
  ValueRule hash = ValueRule::kIdentity;
  TainObject* equal_method = nullptr;  ///< a Function that the type's record keeps
  TainObject* hash_method = nullptr;
  std::vector<const TainFieldDef*> compared;
  std::vector<const TainFieldDef*> hashed;

  /// Whether equal objects of the type are equal keys.
  bool by_value() const noexcept {
    return hash == ValueRule::kFields || hash == ValueRule::kMethod;
  }
};

/// The plan of a registered type; a type that is not registered has that of tain::Object.
const ValuePlan& PlanOf(int32_t type_index);

/// The HostEqualityTraits of an object; 0 without asking if no class overrides anything.
int TraitsOf(TainObject* object);
/// What the host finds.
bool HostEqual(const TainAny& a, const TainAny& b);
int64_t HostHash(const TainAny& value);
bool HasHost() noexcept;

/// The value of a field as a view of the object's memory, or of `owner` if a getter made it.
TainAny FieldView(TainObject* object, const TainFieldDef& field, Any* owner);

/// Calls a method that returns an int or bool.
int64_t CallForInt(TainObject* method, const TainAny* args, int32_t num_args, const char* name);

/// A member of an enum as the int or text that it is; a view.
TainAny PlainValue(const TainAny& value) noexcept;

}  // namespace tain::internal
