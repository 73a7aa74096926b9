// SPDX-License-Identifier: Apache-2.0
// Copies of objects with other values in some fields; see rebuild.h.
#include "graphs/rebuild.h"

#include <algorithm>

#include "base/error_object.h"
#include "base/guard.h"
#include "dynamic/dynamic_type.h"
#include "registry/foreign_type.h"
#include "registry/object_maker.h"
#include "tain/arguments.h"
#include "tain/function.h"
#include "tain/internal/container_api.h"
#include "tain/internal/make_plan.h"
#include "tain/internal/type_members.h"
#include "values/container_detail.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

/// Returns a copy made by the object's Python class, or else by its copy constructor; nothing if
/// it has neither. `by_host` receives whether a Python class made it.
std::optional<Any> CopyOf(const TainTypeRecord& record, TainObject* source, bool* by_host) {
  if (TainObject* copy = CopyWrapped(source)) {
    *by_host = true;
    return Any::Steal(ViewOfObject(copy));
  }
  *by_host = false;
  if (record.def.copy != nullptr) return MakeCopy(record, source);
  return MakeForeignCopy(record, source);
}

const FieldChange* ChangeOf(const std::vector<FieldChange>& changes, std::string_view name) {
  const auto found = std::find_if(changes.begin(), changes.end(), [&](const FieldChange& change) {
    return View(change.field->info.name) == name;
  });
  return found == changes.end() ? nullptr : &*found;
}

/// Returns the plan of the first constructor that these fields are enough for; null if there is none.
const MakePlan* PlanTaking(const TainTypeRecord& record, const std::vector<FieldChange>& fields) {
  const auto is_given = [&](const MakePlan::Field& field) {
    return !field.is_required || ChangeOf(fields, View(field.def->info.name)) != nullptr;
  };
  for (const MakePlan& plan : MakePlansOf(record).all) {
    if (!plan.takes_fields) continue;
    if (std::all_of(plan.fields.begin(), plan.fields.end(), is_given)) return &plan;
  }
  return nullptr;
}

void WriteAll(TainObject* object, const std::vector<FieldChange>& fields, const MakePlan& plan) {
  for (const FieldChange& change : fields) {
    if (TryWriteField(object, *change.field, change.value.data())) continue;
    const bool given =
        std::any_of(plan.fields.begin(), plan.fields.end(), [&](const MakePlan::Field& field) {
          return field.param >= 0 && View(field.def->info.name) == View(change.field->info.name);
        });
    if (!given) {
      TAIN_THROW(TypeError) << FieldPlace(object->type_index, *change.field)
                            << " cannot be set: the member is const, and no constructor takes it";
    }
  }
}

/// Returns all fields of an object, with the changes in place.
std::vector<FieldChange> FieldsWith(TainObject* source, const std::vector<FieldChange>& changes) {
  std::vector<FieldChange> all;
  for (const TainFieldDef* field : FactsOf(source->type_index).fields) {
    if (const FieldChange* change = ChangeOf(changes, View(field->info.name))) {
      all.push_back(*change);
      continue;
    }
    Any owner;
    const TainAny view = FieldView(source, *field, &owner);
    all.push_back({field, Any(AnyView(view))});
  }
  return all;
}

}  // namespace

bool TryWriteField(TainObject* object, const TainFieldDef& field, const TainAny& value) {
  if (SetField(field, object, value) == 0) return true;
  Error error = internal::TakeRaisedError();
  if (error.kind() == "AttributeError") return false;
  ThrowPlaced(FieldPlace(object->type_index, field), error);
}

void CheckConditions(TainObject* object, const TainFieldDef& field) {
  if ((field.access & kTainFieldChecked) == 0) return;
  Any owner;
  const TainAny value = FieldView(object, field, &owner);
  if (AskConditions(field, value) == 0) return;
  ThrowPlaced(FieldPlace(object->type_index, field), TakeRaisedError());
}

void CheckFieldsAreAll(const TainTypeRecord& record, StateUse use) {
  CheckMayCopy(record);
  CheckFieldsAreState(record.info->type_index, use);
}

void ThrowCannotRebuild(const TainTypeRecord& record) {
  TAIN_THROW(TypeError) << View(record.info->type_key)
                        << " cannot be rebuilt: its class has no copy constructor, no default "
                           "constructor and no constructor whose parameters are its fields";
}

Any MakeByConstructor(const TainTypeRecord& record, const std::vector<FieldChange>& fields) {
  const MakePlan* plan = PlanTaking(record, fields);
  if (plan == nullptr) ThrowCannotRebuild(record);
  Map<String, Any> keywords;
  for (int32_t i = 0; i < plan->info->num_args; ++i) {
    const std::string_view name = View(plan->info->args[i].name);
    const FieldChange* change = ChangeOf(fields, name);
    if (change != nullptr) keywords.Set(String(name), change->value);
  }
  const Function make(RefAccess::Share<FunctionObj>(record.constructor));
  const Any made = make.CallPacked(Args(nullptr, 0), Kwargs(std::move(keywords)));
  CheckMade(record, made.data());
  WriteAll(made.data().v_obj, fields, *plan);
  return made;
}

void WriteField(TainObject* object, const TainFieldDef& field, const TainAny& value) {
  if (TryWriteField(object, field, value)) return;
  TAIN_THROW(TypeError) << FieldPlace(object->type_index, field)
                        << " cannot be set: the member is const";
}

Any MakeFromFields(const TainTypeRecord& record, const std::vector<FieldChange>& fields) {
  if (TainTypeHasDefault(record.info->type_index) == 0) return MakeByConstructor(record, fields);
  Any made = MakeDefault(record);
  for (const FieldChange& change : fields) {
    if (TryWriteField(made.data().v_obj, *change.field, change.value.data())) continue;
    if (PlanTaking(record, fields) == nullptr)
      WriteField(made.data().v_obj, *change.field, change.value.data());
    return MakeByConstructor(record, fields);
  }
  return made;
}

Any CopyWithFields(TainObject* source, const std::vector<FieldChange>& changes) {
  const TainTypeRecord* record = TainGetTypeRecord(source->type_index);
  if (record == nullptr) TAIN_THROW(TypeError) << "an object of unknown type cannot be rebuilt";
  bool by_host = false;
  const std::optional<Any> copy = CopyOf(*record, source, &by_host);
  if (!copy) {
    CheckFieldsAreAll(*record, StateUse::kReplace);
    return MakeFromFields(*record, FieldsWith(source, changes));
  }
  TainObject* object = copy->data().v_obj;
  for (const FieldChange& change : changes) {
    if (TryWriteField(object, *change.field, change.value.data())) continue;
    CheckFieldsAreAll(*record, StateUse::kReplace);
    const std::vector<FieldChange> fields = FieldsWith(source, changes);
    if (by_host || PlanTaking(*record, fields) == nullptr) {
      WriteField(object, *change.field, change.value.data());
    }
    return MakeByConstructor(*record, fields);
  }
  return *copy;
}

}  // namespace tain::internal
