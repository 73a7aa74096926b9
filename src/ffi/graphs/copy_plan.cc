// SPDX-License-Identifier: Apache-2.0
// How the objects of a type are copied deeply; see copy_plan.h.
#include "graphs/copy_plan.h"

#include "base/guard.h"
#include "graphs/rebuild.h"
#include "registry/foreign_type.h"
#include "registry/object_maker.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

/// Whether a field may hold an object that a deep copy replaces.
bool MayHoldObject(const TainTypeRecord& record, const TainFieldDef& field) noexcept {
  if (field.kind == kTainFieldAny || field.kind == kTainFieldObject) return true;
  // The copy constructor of a boxed class copies its fields.
  if ((field.access & kTainFieldPlaced) != 0 && record.def.copy != nullptr) return false;
  // A type that the ABI alone describes does not say what its fields hold.
  return field.visit_edges != nullptr ||
         (field.kind == kTainFieldOpaque && record.def.copy == nullptr);
}

/// Whether a copy's field takes a value.
bool TakesValue(TainObject* copy, const TainFieldDef& field) {
  if ((field.info.flags & kTainFieldWritable) != 0) return true;
  Any owner;
  const TainAny view = FieldView(copy, field, &owner);
  const Any held{AnyView(view)};
  return TryWriteField(copy, field, held.data());
}

/// Divides the fields into those that the constructor takes and those that are set afterwards.
void PlanConstruct(const TainTypeRecord& record, const TainFunctionInfo& info, CopyPlan* plan) {
  plan->way = CopyWay::kConstruct;
  plan->later.clear();
  for (const TainFieldDef* field : GraphTypeOf(record.info->type_index).fields) {
    bool taken = false;
    for (int32_t i = 0; i < info.num_args && !taken; ++i) {
      const TainArgInfo& arg = info.args[i];
      if (View(arg.name) != View(field->info.name)) continue;
      taken = (arg.flags & (kTainArgHasDefault | kTainArgOptional)) == 0 ||
              (field->info.flags & kTainFieldWritable) == 0;
    }
    (taken ? plan->first : plan->later).push_back(field);
  }
}

}  // namespace

CopyPlan CopyPlanOf(TainObject* sample) {
  CopyPlan plan;
  const TainTypeRecord* record = TainGetTypeRecord(sample->type_index);
  if (record == nullptr) TAIN_THROW(TypeError) << "an object of unknown type cannot be copied";
  const std::vector<const TainFieldDef*>& fields = GraphTypeOf(sample->type_index).fields;
  std::optional<Any> copy;
  if (record->def.copy != nullptr) {
    copy = MakeCopy(*record, sample);
  } else {
    copy = MakeForeignCopy(*record, sample);
  }
  if (!copy) CheckFieldsAreAll(*record, StateUse::kCopy);
  if (copy) {
    for (const TainFieldDef* field : fields) {
      if (MayHoldObject(*record, *field)) plan.later.push_back(field);
    }
  } else if (TainTypeHasDefault(sample->type_index) != 0) {
    plan.way = CopyWay::kDefault;
    plan.later = fields;
    copy = MakeDefault(*record);
  }
  const TainFunctionInfo* info = ConstructorTaking(*record, fields);
  if (copy) {
    bool all = true;
    for (const TainFieldDef* field : plan.later) {
      all = all && TakesValue(copy->data().v_obj, *field);
    }
    if (all || info == nullptr) return plan;
    CheckFieldsAreAll(*record, StateUse::kCopy);
  }
  if (info == nullptr) ThrowCannotRebuild(*record);
  PlanConstruct(*record, *info, &plan);
  return plan;
}

}  // namespace tain::internal
