// SPDX-License-Identifier: Apache-2.0
// Where the objects of a type keep other objects; see walk_type.h.
#include "walk/walk_type.h"

#include "base/guard.h"
#include "registry/type_column.h"
#include "tain/internal/builtin_types.h"

namespace tain::internal {
namespace {

constinit TypeColumn visit_column("__s_visit__");
constinit TypeColumn mutate_column("__s_mutate__");

void FillWalkType(const TypeFacts& facts, WalkType& type) {
  for (const TainFieldDef* field : facts.fields) {
    const bool direct = field->kind == kTainFieldObject || field->kind == kTainFieldAny;
    if (!direct && field->kind != kTainFieldOpaque) continue;
    if (field->kind != kTainFieldAny && (field->is_enum != 0 || LeadsNowhere(View(field->type)))) {
      continue;
    }
    const WalkForm form = field->kind == kTainFieldObject ? WalkForm::kPointer
                          : field->kind == kTainFieldAny  ? WalkForm::kValue
                                                          : WalkForm::kGetter;
    type.fields.push_back({field, field->info.offset, form});
  }
}

const TainAny* FunctionIn(TypeColumn& column, int32_t type_index) noexcept {
  const TainAny* value = column.Find(type_index);
  return value != nullptr && value->type_index == kTainFunction ? value : nullptr;
}

}  // namespace

const WalkType& WalkTypeOf(int32_t type_index) {
  return FactsOf(type_index).Get<WalkType>(&FillWalkType);
}

const TainAny* VisitAttribute(int32_t type_index) noexcept {
  return FunctionIn(visit_column, type_index);
}
const TainAny* MutateAttribute(int32_t type_index) noexcept {
  return FunctionIn(mutate_column, type_index);
}

}  // namespace tain::internal
