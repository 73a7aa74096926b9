// SPDX-License-Identifier: Apache-2.0
// How the objects of a type are copied deeply; see copy_plan.h.
#include "graphs/copy_plan.h"

#include <algorithm>

#include "base/guard.h"
#include "graphs/rebuild.h"
#include "registry/foreign_type.h"
#include "registry/object_maker.h"
#include "tain/internal/make_plan.h"
#include "tain/internal/type_expr.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

/// The types that one search has looked at, so that a type that contains itself is looked at once.
using Seen = std::vector<int32_t>;

/// The objects in a field that a deep copy replaces.
struct Holds {
  bool objects = false;
  bool contains = false;  ///< some of them are part of the value, not referred to

  Holds& operator|=(const Holds& other) noexcept {
    objects = objects || other.objects;
    contains = contains || other.contains;
    return *this;
  }
};

bool SharesInCopies(const TainTypeRecord& record, Seen* seen);

/// The boxed objects in values of a type that a copy of the value shares with it: those that a
/// std::shared_ptr has, whose type says None too, and those of the objects that the value contains.
Holds SharedBoxes(const TypeExpr& expr, bool is_nullable, Seen* seen) {
  if (expr.kind == TypeExpr::Kind::kUnion) {
    is_nullable = std::any_of(expr.parts.begin(), expr.parts.end(),
                              [](const TypeExpr& part) { return part.name == "None"; });
  } else {
    const TainByteArray key{expr.name.data(), expr.name.size()};
    const int32_t type_index = TainTypeGetOrAllocIndex(&key, -1, 0, 0, 0, -2);
    const TainTypeRecord* record = type_index < 0 ? nullptr : TainGetTypeRecord(type_index);
    if (record != nullptr && (record->def.flags & kTainTypeBoxed) != 0) {
      if (is_nullable) return {true, false};
      const bool shares = SharesInCopies(*record, seen);
      return {shares, shares};
    }
    is_nullable = false;
  }
  Holds holds;
  for (const TypeExpr& part : expr.parts) holds |= SharedBoxes(part, is_nullable, seen);
  return holds;
}

/// The objects in a field of a type that a deep copy may have to replace.
Holds HeldBy(const TainTypeRecord& record, const TainFieldDef& field, Seen* seen) {
  Holds holds;
  if ((field.access & kTainFieldRefers) != 0) return holds;
  holds.objects =
      field.kind == kTainFieldAny || field.kind == kTainFieldObject || field.visit_edges != nullptr;
  if (field.kind != kTainFieldOpaque) return holds;
  // A type that the ABI alone describes does not say what its fields hold.
  if (record.def.copy == nullptr) holds.objects = true;
  const std::optional<TypeExpr> type = ParseTypeExpr(View(field.type));
  if (type) {
    holds |= SharedBoxes(*type, false, seen);
  } else {
    holds.objects = true;
  }
  return holds;
}

/// Whether the copy constructor of a type may leave the copy with objects of the original.
bool SharesInCopies(const TainTypeRecord& record, Seen* seen) {
  const int32_t type_index = record.info->type_index;
  if (std::find(seen->begin(), seen->end(), type_index) != seen->end()) return false;
  seen->push_back(type_index);
  const auto& fields = FactsOf(type_index).fields;
  return std::any_of(fields.begin(), fields.end(), [&](const TainFieldDef* field) {
    return HeldBy(record, *field, seen).objects;
  });
}

/// Whether a copy's field takes a value.
bool TakesValue(TainObject* copy, const TainFieldDef& field) {
  if ((field.info.flags & kTainFieldWritable) != 0) return true;
  Any owner;
  const TainAny view = FieldView(copy, field, &owner);
  const Any held{AnyView(view)};
  return TryWriteField(copy, field, held.data());
}

}  // namespace

CopyPlan CopyPlanOf(TainObject* sample) {
  CopyPlan plan;
  const TainTypeRecord* record = TainGetTypeRecord(sample->type_index);
  if (record == nullptr) TAIN_THROW(TypeError) << "an object of unknown type cannot be copied";
  const std::vector<const TainFieldDef*>& fields = FactsOf(sample->type_index).fields;
  std::optional<Any> copy;
  if (record->def.copy != nullptr) {
    copy = MakeCopy(*record, sample);
  } else {
    copy = MakeForeignCopy(*record, sample);
  }
  if (!copy) CheckFieldsAreAll(*record, StateUse::kCopy);
  for (const TainFieldDef* field : fields) {
    Seen seen;
    const Holds holds = HeldBy(*record, *field, &seen);
    if (copy && holds.objects) plan.later.push_back(field);
    if (holds.contains) plan.contain.push_back(field);
  }
  if (!copy && TainTypeHasDefault(sample->type_index) != 0) {
    plan.way = CopyWay::kDefault;
    plan.later = fields;
    copy = MakeDefault(*record);
  }
  const MakePlan* by = MakePlansOf(*record).taking_fields();
  if (copy) {
    bool all = true;
    for (const TainFieldDef* field : plan.later) {
      all = all && TakesValue(copy->data().v_obj, *field);
    }
    if (all || by == nullptr) return plan;
    CheckFieldsAreAll(*record, StateUse::kCopy);
  }
  if (by == nullptr) ThrowCannotRebuild(*record);
  plan.way = CopyWay::kConstruct;
  plan.later.clear();
  for (const MakePlan::Field& field : by->fields) {
    (field.is_first ? plan.first : plan.later).push_back(field.def);
  }
  return plan;
}

}  // namespace tain::internal
