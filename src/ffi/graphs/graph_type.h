// SPDX-License-Identifier: Apache-2.0
// The description of a type for the operations on graphs: its fields and how they are compared.
#pragma once

#include "registry/type_chain.h"
#include "tain/reflection/arg.h"

namespace tain::internal {

/// How the parts of a value are found.
enum class PartsOf : uint8_t {
  kNothing,   ///< a leaf: numbers, texts, shapes, tensors, functions, values of the host ...
  kFields,    ///< an object of a registered type
  kSequence,  ///< Array, List
  kMap        ///< Map, Dict
};

/// Returns how the parts of a value of a type are found.
inline PartsOf PartsOfType(int32_t type_index) noexcept {
  switch (type_index) {
    case kTainArray:
    case kTainList: return PartsOf::kSequence;
    case kTainMap:
    case kTainDict: return PartsOf::kMap;
    default: return type_index >= kTainDynObjectBegin ? PartsOf::kFields : PartsOf::kNothing;
  }
}

/// Whether an object has more than one reference, so that it may be met again in the same graph.
inline bool IsShared(const TainObject* object) noexcept {
  return ObjectAccess::FromHeader(const_cast<TainObject*>(object))->use_count() > 1;
}

/// The facts about graphs in a type's registration; see PlanCache.
struct GraphType {
  TypeChain chain;
  uint64_t stamp = 0;
  StructuralKind kind = StructuralKind::kTree;  ///< that of the nearest type that states one
  std::vector<const TainFieldDef*> fields;      ///< those of the parents first
};

/// Returns the description of a type. An unregistered type has that of tain::Object.
const GraphType& GraphTypeOf(int32_t type_index);

/// Returns a field of a type by name, or null.
const TainFieldDef* FieldNamed(const GraphType& type, std::string_view name) noexcept;

/// Returns `key.name` for messages.
std::string FieldPlace(int32_t type_index, const TainFieldDef& field);

}  // namespace tain::internal
