// SPDX-License-Identifier: Apache-2.0
// The table of the structural kinds with their names in Python.
#pragma once

#include "tain/reflection/arg.h"

namespace tain::internal {

struct NamedStructuralKind {
  StructuralKind kind;
  const char* name;
};
/// The default first. A new kind is a number in c_api.h, a name in arg.h and a row here; src/ffi/compare
/// says what it does.
inline constexpr NamedStructuralKind kStructuralKinds[] = {
    {StructuralKind::kTree, "tree"},
    {StructuralKind::kDag, "dag"},
    {StructuralKind::kConstTree, "const_tree"},
    {StructuralKind::kVariable, "variable"},
    {StructuralKind::kUnique, "unique"},
};

/// Returns the name of a kind by its number in TainTypeMetadata; null if no kind has the number.
constexpr const char* NameOfStructuralKind(int64_t number) noexcept {
  for (const NamedStructuralKind& known : kStructuralKinds) {
    if (static_cast<int64_t>(known.kind) == number) return known.name;
  }
  return nullptr;
}

}  // namespace tain::internal
