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
#include "tain/internal/all_fields.h"
#include "tain/internal/container_api.h"
#include "values/container_detail.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

/// Returns a copy made by the object's Python class, or else by its copy constructor; nothing if
/// it has neither. `by_host` receives whether a Python class made it.
std::optional<Any> CopyOf(const TainTypeRecord& record, TainObject* source, bool* by_host) {
  if (TainObject* copy = CopyWrapped(source)) {
    *by_host = true;
    TainAny value{};
    value.type_index = copy->type_index;
    value.v_obj = copy;
    return Any::Steal(value);
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

bool IsAmong(const std::vector<const TainFieldDef*>& fields, std::string_view name) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const TainFieldDef* field) { return View(field->info.name) == name; });
}

/// Whether every parameter without a default is a field, and takes a value by name.
bool TakesFields(const TainFunctionInfo& info, const std::vector<const TainFieldDef*>& fields) {
  constexpr int32_t kRest = kTainArgVarPositional | kTainArgVarKeyword;
  for (int32_t i = 0; i < info.num_args; ++i) {
    const TainArgInfo& arg = info.args[i];
    if ((arg.flags & (kTainArgHasDefault | kTainArgOptional | kRest)) != 0) continue;
    if ((arg.flags & kTainArgNamed) == 0 || !IsAmong(fields, View(arg.name))) {
      return false;
    }
  }
  return (info.flags & kTainCallPacked) == 0;
}

const TainFunctionInfo* FieldConstructor(const TainTypeRecord& record,
                                         const std::vector<FieldChange>& fields) {
  std::vector<const TainFieldDef*> given;
  for (const FieldChange& change : fields) given.push_back(change.field);
  return ConstructorTaking(record, given);
}

void WriteAll(TainObject* object, const std::vector<FieldChange>& fields,
              const TainFunctionInfo* given_by) {
  for (const FieldChange& change : fields) {
    if (TryWriteField(object, *change.field, change.value.data())) continue;
    bool given = false;
    for (int32_t i = 0; given_by != nullptr && i < given_by->num_args; ++i) {
      given = given || View(given_by->args[i].name) == View(change.field->info.name);
    }
    if (!given) {
      TAIN_THROW(TypeError) << FieldPlace(object->type_index, *change.field)
                            << " cannot be set: the member is const, and no constructor takes it";
    }
  }
}

/// Returns all fields of an object, with the changes in place.
std::vector<FieldChange> FieldsWith(TainObject* source, const std::vector<FieldChange>& changes) {
  std::vector<FieldChange> all;
  for (const TainFieldDef* field : GraphTypeOf(source->type_index).fields) {
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
  if (field.info.setter == nullptr) return false;  // a type of foreign code may have none
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

const TainFunctionInfo* ConstructorTaking(const TainTypeRecord& record,
                                          const std::vector<const TainFieldDef*>& fields) {
  if (record.constructor == nullptr) return nullptr;
  const TainFunctionInfo* info = TainFunctionGetInfo(record.constructor);
  if (info == nullptr) return nullptr;
  if ((info->flags & kTainCallOverloaded) == 0) return TakesFields(*info, fields) ? info : nullptr;
  for (int32_t i = 0; i < info->num_overloads; ++i) {
    const TainFunctionInfo* one = info->overloads[i].info;
    if (one != nullptr && TakesFields(*one, fields)) return one;
  }
  return nullptr;
}

void CheckFieldsAreAll(const TainTypeRecord& record, StateUse use) {
  CheckMayCopy(record);
  const int32_t type_index = record.info->type_index;
  if (UnregisteredBytes(type_index) != 0) {
    TAIN_THROW(TypeError) << UnregisteredStateText(type_index, use);
  }
}

void ThrowCannotRebuild(const TainTypeRecord& record) {
  TAIN_THROW(TypeError) << View(record.info->type_key)
                        << " cannot be rebuilt: its class has no copy constructor, no default "
                           "constructor and no constructor whose parameters are its fields";
}

Any MakeByConstructor(const TainTypeRecord& record, const std::vector<FieldChange>& fields) {
  const TainFunctionInfo* info = FieldConstructor(record, fields);
  if (info == nullptr) ThrowCannotRebuild(record);
  Map<String, Any> keywords;
  for (int32_t i = 0; i < info->num_args; ++i) {
    const FieldChange* change = ChangeOf(fields, View(info->args[i].name));
    if (change != nullptr) keywords.Set(String(View(info->args[i].name)), change->value);
  }
  const Function make(RefAccess::Share<FunctionObj>(record.constructor));
  const Any made = make.CallPacked(Args(nullptr, 0), Kwargs(std::move(keywords)));
  const TainAny& value = made.data();
  if (value.type_index < kTainStaticObjectBegin ||
      TainTypeIsInstance(value.type_index, record.info->type_index) == 0) {
    TAIN_THROW(TypeError) << View(record.info->type_key) << ": the constructor returned "
                          << TypeNameOf(value) << ", expected " << View(record.info->type_key);
  }
  WriteAll(value.v_obj, fields, info);
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
  const TainFunctionInfo* info = FieldConstructor(record, fields);
  for (const FieldChange& change : fields) {
    if (TryWriteField(made.data().v_obj, *change.field, change.value.data())) continue;
    if (info == nullptr) WriteField(made.data().v_obj, *change.field, change.value.data());
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
    if (by_host || FieldConstructor(*record, fields) == nullptr) {
      WriteField(object, *change.field, change.value.data());
    }
    return MakeByConstructor(*record, fields);
  }
  return *copy;
}

}  // namespace tain::internal
