// SPDX-License-Identifier: Apache-2.0
// The constructor from fields: of def_init_fields, and of types laid out at run time.
//
// def_init_fields makes a default-constructed object and then sets the given fields. A field that
// is not given keeps the value of the default constructor, so objects share no defaults; the
// signature shows the values of one default-constructed object. The constructor of a type that is
// laid out at run time passes the first arguments to the constructor of its compiled parent, and
// then sets its own fields. Fields without a default must be given.
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error_object.h"
#include "base/fork.h"
#include "dynamic/dynamic_type.h"
#include "memory/unlocked_end.h"
#include "registry/field_init.h"
#include "registry/object_maker.h"
#include "registry/registration.h"
#include "registry/registry.h"
#include "tain/internal/container_api.h"
#include "tain/internal/field_target.h"
#include "tain/internal/type_members.h"

namespace tain::internal {
namespace {

/// The work of the constructor of one type; never freed.
struct Plan {
  explicit Plan(const TainTypeRecord& type) : record(&type), maker(type) {}
  const TainTypeRecord* record;
  ObjectMaker maker;
  std::vector<const TainFieldDef*> fields;  ///< by argument; null: one of the compiled parent
  std::vector<size_t> base_args;  ///< the arguments that the compiled parent gets, in order
  std::vector<const TainFieldDef*> others;  ///< fields that are not arguments but have a default
};

struct FieldInitState {
  std::shared_mutex mutex;
  std::unordered_map<const TainFunctionInfo*, const Plan*> plans;  ///< for construction in place
  std::unordered_map<int32_t, int32_t> undescribed;  ///< parents without an ObjectDef -> the child
};

FieldInitState& GetState() { return NeverDestroyed<FieldInitState>(); }

std::string_view NameOf(const TainFieldDef& field) {
  return {field.info.name.data, field.info.name.size};
}

/// Throws the error of a setter; a mismatch names the argument.
[[noreturn]] void ThrowSetterError(const TainFunctionInfo& info, const TainFieldDef& field) {
  std::string where(info.name.data, info.name.size);
  where.append(": argument ").append(NameOf(field));
  Refusal refusal;  // the argument's, not that of the author's code: no frame names the constructor
  refusal.kind = Refusal::Kind::kArgument;
  refusal.info = &info;
  ThrowPlacedAs(refusal, where, TakeRaisedError());
}

/// Sets the fields of a default-constructed object, whose header may be incomplete.
void SetFields(const Plan& plan, const TainFunctionInfo& info, void* body, const TainAny* args) {
  TainObject* header = plan.maker.HeaderOf(body);
  for (size_t i = 0; i < plan.fields.size(); ++i) {
    if (plan.fields[i] == nullptr || args[i].type_index == kTainUnchanged) continue;
    const TainFieldDef& field = *plan.fields[i];
    if (SetField(field, header, args[i]) != 0) ThrowSetterError(info, field);
  }
  for (const TainFieldDef* field : plan.others) {
    const Any value = DefaultOf(*field);
    if (SetField(*field, header, value.data()) != 0) ThrowSetterError(info, *field);
  }
}

/// Builds the object before its fields are set; returns a code.
int BuildUnset(const Plan& plan, void* body, const TainAny* args) {
  const TainTypeRecord& record = *plan.record;
  const DynamicLayout* layout = LayoutOf(record);
  if (layout == nullptr) return record.def.construct_default(body, &record);
  const TainTypeRecord* base = layout->base;
  if (base == nullptr || base->def.construct == nullptr) {
    return BuildBase(record, body, nullptr, nullptr, nullptr, 0);
  }
  std::vector<TainAny> passed;
  passed.reserve(plan.base_args.size());
  for (const size_t at : plan.base_args) passed.push_back(args[at]);
  return BuildBase(record, body, base->def.construct, TainFunctionGetInfo(base->constructor),
                   passed.data(), static_cast<int32_t>(passed.size()));
}

/// Builds an object in `body`. Returns 0, or -1 with the error raised and nothing built.
int Construct(const Plan& plan, const TainFunctionInfo* info, void* body, const TainAny* args,
              int32_t num_args) noexcept {
  const auto count = static_cast<int32_t>(plan.fields.size());
  try {
    std::vector<TainAny> completed;
    std::vector<Any> made;
    if (num_args != count) {
      completed.resize(plan.fields.size());
      made.resize(plan.fields.size());
      CompleteArguments(info, args, num_args, count, completed.data(), made.data());
      args = completed.data();
    }
    if (BuildUnset(plan, body, args) != 0) return -1;
    try {
      SetFields(plan, *info, body, args);
      return 0;
    } catch (...) {
      DestroyUnfinished(body, plan.record);
      throw;
    }
  } catch (...) {
    return FailedIn(info);
  }
}

int ConstructInPlace(void* body, const TainFunctionInfo* info, const TainAny* args,
                     int32_t num_args) {
  const Plan* plan = nullptr;
  {
    FieldInitState& state = GetState();
    std::shared_lock lock(state.mutex);
    const auto it = state.plans.find(info);
    if (it != state.plans.end()) plan = it->second;
  }
  if (plan == nullptr) {
    TainErrorSetRaisedFromCStr("InternalError", "a field constructor was called without its info");
    return -1;
  }
  return Construct(*plan, info, body, args, num_args);
}

/// The function of def_init_fields.
class FieldInitFunction : public FunctionObj {
 public:
  explicit FieldInitFunction(const Plan* plan) : plan_(plan) { body.cell.safe_call = &SafeCall; }

 private:
  static int SafeCall(void* self, const TainAny* args, int32_t num_args, TainAny* result) noexcept {
    const auto* init =
        static_cast<FieldInitFunction*>(ObjectAccess::FromHeader(static_cast<TainObject*>(self)));
    const auto construct = [&](void* memory) {
      return Construct(*init->plan_, init->body.info, memory, args, num_args);
    };
    return init->plan_->maker.Make(construct, result);
  }

  const Plan* plan_;
};

/// Adds the fields that a type itself registered; each replaces a field of the same name.
void AddFieldsOf(const TainTypeRecord& record, std::vector<const TainFieldDef*>& fields) {
  for (int32_t i = 0; i < record.num_fields; ++i) {
    const TainFieldDef* field = record.fields[i];
    size_t at = 0;
    while (at < fields.size() && NameOf(*fields[at]) != NameOf(*field)) ++at;
    if (at < fields.size()) {
      fields[at] = field;
    } else {
      fields.push_back(field);
    }
  }
}

/// Returns the fields that are arguments: those of parents first, keyword-only ones last.
std::vector<const TainFieldDef*> ArgumentFields(const TainTypeRecord& record) {
  const std::vector<const TainFieldDef*> all = AllFieldsOf(record);
  std::vector<const TainFieldDef*> fields;
  for (const int64_t kind : {int64_t{0}, int64_t{kTainFieldKwOnly}}) {
    for (const TainFieldDef* field : all) {
      if (IsArgument(*field) && (field->info.flags & kTainFieldKwOnly) == kind) {
        fields.push_back(field);
      }
    }
  }
  return fields;
}

/// Returns the value of a field in the instance.
Any FieldValue(const Any& instance, const TainFieldDef& field) {
  TainAny value{};
  ThrowIfFailed(GetField(field, instance.data().v_obj, &value));
  return Any::Steal(value);
}

/// Throws if the initializer of a field does not fulfil the field's conditions: the constructor
/// would make objects that no load takes back.
void CheckInitializer(const char* key, const TainFieldDef& field, const Any& value) {
  if (AskConditions(field, value.data()) == 0) return;
  const Error error = Error::MoveFromRaised();
  throw Error(error.kind(), std::string(key) + "." + std::string(NameOf(field)) +
                                ": the member's initializer: " + error.message() +
                                ". Give the member another one, or the field a tain::default_()");
}

/// Returns the parameters of def_init_fields. `keep` holds the defaults for the signature.
std::vector<TainArgInfo> StaticArguments(const char* key, Plan& plan, std::vector<Any>& keep) {
  plan.fields = ArgumentFields(*plan.record);
  const Any instance = MakeDefault(*plan.record);
  std::vector<TainArgInfo> args;
  for (const TainFieldDef* field : plan.fields) {
    TainArgInfo arg = ArgumentOf(*field);
    if ((arg.flags & kTainArgHasDefault) == 0) {
      keep.push_back(FieldValue(instance, *field));
      CheckInitializer(key, *field, keep.back());
      arg.default_value = keep.back().data();
      arg.flags |= kTainArgHasDefault | kTainArgUnchanged;
    }
    args.push_back(arg);
  }
  return args;
}

/// Throws if an argument without a default follows one with a default.
void CheckOrder(const char* key, const std::vector<TainArgInfo>& args) {
  const TainArgInfo* defaulted = nullptr;
  for (const TainArgInfo& arg : args) {
    if ((arg.flags & kTainArgKwOnly) != 0) return;
    if ((arg.flags & kTainArgHasDefault) != 0) {
      defaulted = &arg;
    } else if (defaulted != nullptr) {
      TAIN_THROW(TypeError) << key << "." << std::string_view(arg.name.data, arg.name.size)
                            << ": a field without default follows '"
                            << std::string_view(defaulted->name.data, defaulted->name.size)
                            << "', which has one: give it a default, or make it kw_only";
    }
  }
}

/// Returns the parameters of a type that is laid out at run time: those of the compiled parent's
/// constructor, then the fields, keyword-only ones last.
std::vector<TainArgInfo> DynamicArguments(const char* key, Plan& plan) {
  const TainTypeRecord* base = LayoutOf(*plan.record)->base;
  const TainFunctionInfo* info = base == nullptr || base->def.construct == nullptr
                                     ? nullptr
                                     : TainFunctionGetInfo(base->constructor);
  if (info != nullptr && (info->flags & kTainCallOverloaded) != 0) {
    TAIN_THROW(TypeError) << key
                          << ": the constructor of its parent has overloads, so fields "
                             "cannot be added to its arguments";
  }
  const std::vector<const TainFieldDef*> described = DynamicFields(*plan.record);
  std::vector<TainArgInfo> args;
  for (const int32_t kind : {0, int32_t{kTainArgKwOnly}}) {
    for (int32_t i = 0; info != nullptr && i < info->num_args; ++i) {
      const TainArgInfo& arg = info->args[i];
      if ((arg.flags & (kTainArgVarPositional | kTainArgVarKeyword)) != 0) {
        TAIN_THROW(TypeError) << key
                              << ": the constructor of its parent takes any arguments, so "
                                 "fields cannot be added to them";
      }
      if ((arg.flags & kTainArgKwOnly) != kind) continue;
      plan.base_args.push_back(args.size());
      plan.fields.push_back(nullptr);
      args.push_back(arg);
    }
    for (const TainFieldDef* field : described) {
      if (!IsArgument(*field)) continue;
      const TainArgInfo arg = ArgumentOf(*field);
      if ((arg.flags & kTainArgKwOnly) != kind) continue;
      plan.fields.push_back(field);
      args.push_back(arg);
    }
  }
  for (const TainFieldDef* field : described) {
    const bool has_default = (field->info.flags & kTainFieldHasDefault) != 0;
    if (!IsArgument(*field) && has_default) plan.others.push_back(field);
  }
  CheckOrder(key, args);
  return args;
}

/// Records parents that have no ObjectDef yet. An ObjectDef that comes later is a mistake.
void NoteParents(const TainTypeRecord& record) {
  FieldInitState& state = GetState();
  std::unique_lock lock(state.mutex);
  for (int32_t d = 1; d < record.info->type_depth; ++d) {
    const int32_t index = record.info->type_ancestors[d]->type_index;
    const TainTypeRecord* parent = TainGetTypeRecord(index);
    if (parent != nullptr && (parent->def.flags & kTainTypeDefined) == 0) {
      state.undescribed[index] = record.info->type_index;
    }
  }
}

/// Marks the type. The journal of its unit has the record from before the constructor.
void MarkFieldInit(int32_t type_index) {
  Registry& registry = Registry::Default();
  std::unique_lock lock(registry.mutex);
  if (TypeEntry* entry = registry.types.Find(type_index)) {
    entry->record.def.flags |= kTainTypeFieldInit;
    entry->Changed();
  }
}

}  // namespace

std::vector<const TainFieldDef*> AllFieldsOf(const TainTypeRecord& record) {
  std::vector<const TainFieldDef*> fields;
  for (int32_t d = 0; d < record.info->type_depth; ++d) {
    const int32_t index = record.info->type_ancestors[d]->type_index;
    const TainTypeRecord* parent = TainGetTypeRecord(index);
    if (parent != nullptr) AddFieldsOf(*parent, fields);
  }
  AddFieldsOf(record, fields);
  return fields;
}

bool IsArgument(const TainFieldDef& field) noexcept {
  return (field.info.flags & kTainFieldNoInit) == 0 && field.info.setter != nullptr;
}

TainArgInfo ArgumentOf(const TainFieldDef& field) noexcept {
  TainArgInfo out{};
  out.name = field.info.name;
  out.doc = field.info.doc;
  out.type = field.type;
  out.flags = kTainArgNamed;
  if ((field.info.flags & kTainFieldKwOnly) != 0) out.flags |= kTainArgKwOnly;
  if ((field.info.flags & kTainFieldHasDefault) == 0) return out;
  out.flags |= kTainArgHasDefault;
  out.default_value = field.info.default_value_or_factory;
  if ((field.info.flags & kTainFieldDefaultFactory) != 0) out.flags |= kTainArgFactory;
  return out;
}

constinit const ForkSteps field_init_fork = StepsFor<&GetState>();

void CheckNotLate(int32_t type_index) {
  FieldInitState& state = GetState();
  const TainTypeRecord* child = nullptr;
  {
    std::shared_lock lock(state.mutex);
    const auto it = state.undescribed.find(type_index);
    if (it == state.undescribed.end()) return;
    child = TainGetTypeRecord(it->second);
  }
  if (child == nullptr || (child->def.flags & kTainTypeFieldInit) == 0 ||
      (child->def.flags & kTainTypeDead) != 0) {
    return;  // the child was withdrawn
  }
  TAIN_THROW(ValueError) << "described after its child "
                         << std::string_view(child->info->type_key.data, child->info->type_key.size)
                         << ", whose def_init_fields needs its fields: put the parent first";
}

void DefineFieldConstructor(int32_t type_index, const char* key) {
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  if (record == nullptr || (record->def.flags & kTainTypeDefined) == 0) return;
  auto plan = std::make_unique<Plan>(*record);
  const bool dynamic = LayoutOf(*record) != nullptr;
  std::vector<Any> keep;
  const std::vector<TainArgInfo> args =
      dynamic ? DynamicArguments(key, *plan) : StaticArguments(key, *plan, keep);
  TainFunctionInfo info{};
  info.name = Bytes(key);
  info.return_type = Bytes(key);
  info.args = args.data();
  info.num_args = static_cast<int32_t>(args.size());
  info.flags = kTainCallConstructor;
  const Function function(ObjectPtr<FunctionObj>(make_object<FieldInitFunction>(plan.get())));
  TainObject* header = RefAccess::Header(function);
  ThrowIfFailed(TainFunctionSetInfo(header, &info));
  {
    FieldInitState& state = GetState();
    std::unique_lock lock(state.mutex);
    state.plans[TainFunctionGetInfo(header)] = plan.release();
  }
  if (!dynamic) NoteParents(*record);
  DefineConstructor(type_index, function, &ConstructInPlace, "", false);
  if (record->constructor == header) MarkFieldInit(type_index);  // otherwise it was a fault
}

}  // namespace tain::internal
