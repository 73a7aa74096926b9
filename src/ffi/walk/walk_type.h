// SPDX-License-Identifier: Apache-2.0
// Where the objects of a type keep other objects; for walks over graphs.
#pragma once

#include "registry/type_facts.h"

namespace tain::internal {

/// How a walk reads a field.
enum class WalkForm : uint8_t {
  kPointer,  ///< one object pointer, which may be null
  kValue,    ///< a TainAny
  kGetter    ///< by the field's getter, which may run foreign code and make a new object
};

/// A field that can hold objects.
struct WalkField {
  const TainFieldDef* def;
  int64_t offset;
  WalkForm form;
};

/// The fields of a type that walks read.
struct WalkType {
  static constexpr auto kPart = TypePart::kWalk;
  std::vector<WalkField> fields;  ///< those of the parents first
};

/// Returns the description of a type. An unregistered type has that of tain::Object.
const WalkType& WalkTypeOf(int32_t type_index);

/// The values of `__s_visit__` and `__s_mutate__`, the type's own functions, or null.
const TainAny* VisitAttribute(int32_t type_index) noexcept;
const TainAny* MutateAttribute(int32_t type_index) noexcept;

}  // namespace tain::internal
