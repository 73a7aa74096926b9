// SPDX-License-Identifier: Apache-2.0
// The description of a type for the operations on graphs; see graph_type.h.
#include "graphs/graph_type.h"

#include "base/guard.h"
#include "tain/internal/all_fields.h"

namespace tain::internal {
namespace {

constinit PlanCache<GraphType> graph_types;

void FillGraphType(GraphType& type) {
  for (const TainTypeRecord* record : type.chain) {
    const TainTypeMetadata* metadata = record->info->metadata;
    if (metadata == nullptr) continue;
    const int32_t kind = metadata->structural_eq_hash_kind;
    if (kind < kTainStructuralTree || kind > kTainStructuralUnique) continue;
    type.kind = static_cast<StructuralKind>(kind);
    break;
  }
  type.fields = AllFieldsOf(*type.chain.front());
}

}  // namespace

const GraphType& GraphTypeOf(int32_t type_index) {
  return graph_types.Get(type_index, &FillGraphType);
}

const TainFieldDef* FieldNamed(const GraphType& type, std::string_view name) noexcept {
  // A field that a child registers again comes later and hides that of its parent.
  for (auto field = type.fields.rbegin(); field != type.fields.rend(); ++field) {
    if (View((*field)->info.name) == name) return *field;
  }
  return nullptr;
}

std::string FieldPlace(int32_t type_index, const TainFieldDef& field) {
  const TainTypeInfo* info = TainGetTypeInfo(type_index);
  return std::string(info == nullptr ? std::string_view("?") : View(info->type_key)) + "." +
         std::string(View(field.info.name));
}

}  // namespace tain::internal
