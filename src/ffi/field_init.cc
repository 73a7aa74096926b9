// SPDX-License-Identifier: Apache-2.0
// The constructor that def_init_fields makes: a default-constructed object, then the given fields.
//
// A field that is not given stays as the default constructor made it, so no default is shared
// between objects; the signature shows what one default-constructed object holds.
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "definition.h"
#include "fork.h"
#include "registry.h"

namespace tain::internal {
namespace {

/// What the constructor of one type does; lives for ever.
struct Plan {
  explicit Plan(const TainTypeRecord& type) : record(&type), maker(type) {}
  const TainTypeRecord* record;
  ObjectMaker maker;
  std::vector<const TainFieldDef*> fields;  ///< in the order of the arguments
};

/// Kept for the life of the process.
struct FieldInitState {
  std::shared_mutex mutex;
  std::unordered_map<const TainFunctionInfo*, const Plan*> plans;  ///< for construction in place
  std::unordered_map<int32_t, int32_t> undescribed;  ///< parents without an ObjectDef -> the child
};

FieldInitState& GetState() {
  static auto* state = new FieldInitState;
  return *state;
}

std::shared_mutex& StateLock() { return GetState().mutex; }

std::string_view NameOf(const TainFieldDef& field) {
  return {field.info.name.data, field.info.name.size};
}

int CallSetter(const TainFieldDef& field, void* address, const TainAny& value) noexcept {
  if ((field.info.flags & kTainFieldSetterIsFunction) == 0) {
    return reinterpret_cast<TainFieldSetter>(field.info.setter)(address, &value);
  }
  TainAny args[2] = {{}, value};
  args[0].type_index = kTainOpaquePtr;
  args[0].v_ptr = address;
  TainAny nothing{};
  return TainFunctionCall(static_cast<TainObject*>(field.info.setter), args, 2, &nothing);
}

/// Throws the error of a setter; a mismatch says which argument it was.
[[noreturn]] void ThrowSetterError(const TainFunctionInfo& info, const TainFieldDef& field) {
  const Error error = Error::MoveFromRaised();
  const std::string message = error.message();
  const bool inside = message.compare(0, 1, "[") == 0;  // begins with a place inside the value
  if ((error.kind() != "TypeError" && error.kind() != "OverflowError") ||
      (!inside && message.compare(0, 9, "expected ") != 0)) {
    throw error;
  }
  std::string text(info.name.data, info.name.size);
  text.append(": argument ").append(NameOf(field)).append(inside ? "" : ": ").append(message);
  throw Error(error.kind(), text, error.backtrace());
}

/// Sets the fields of a default-constructed object, whose header may not be finished yet.
void SetFields(const Plan& plan, const TainFunctionInfo& info, void* body, const TainAny* args) {
  auto* header = reinterpret_cast<char*>(plan.maker.HeaderOf(body));
  for (size_t i = 0; i < plan.fields.size(); ++i) {
    if (args[i].type_index == kTainUnchanged) continue;
    const TainFieldDef& field = *plan.fields[i];
    if (CallSetter(field, header + field.info.offset, args[i]) != 0) ThrowSetterError(info, field);
  }
}

/// Builds in `body`; 0, or -1 with the error raised and nothing built.
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
    if (plan.record->def.construct_default(body) != 0) return -1;
    try {
      SetFields(plan, *info, body, args);
      return 0;
    } catch (...) {
      plan.record->def.destroy(body);
      throw;
    }
  } catch (...) {
    return TainErrorSetFromException();
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

/// The function behind def_init_fields.
class FieldInitFunction : public FunctionObj {
 public:
  explicit FieldInitFunction(const Plan* plan) : plan_(plan) { body.cell.safe_call = &SafeCall; }

 private:
  static int SafeCall(void* self, const TainAny* args, int32_t num_args, TainAny* result) noexcept {
    const auto* init =
        static_cast<FieldInitFunction*>(ObjectAccess::FromHeader(static_cast<TainObject*>(self)));
    const ObjectMaker& maker = init->plan_->maker;
    void* memory = maker.Allocate();
    if (memory == nullptr) return -1;
    if (Construct(*init->plan_, init->body.info, memory, args, num_args) != 0) {
      TainObjectAbandon(memory, maker.type_index);
      return -1;
    }
    *result = maker.Finish(memory);
    return 0;
  }

  const Plan* plan_;
};

/// Adds the fields that a type registered itself; a field of the same name takes its place.
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

bool IsArgument(const TainFieldDef& field) {
  return (field.info.flags & kTainFieldNoInit) == 0 && field.info.setter != nullptr;
}

/// The fields that are arguments: parents first, those by keyword only last.
std::vector<const TainFieldDef*> ArgumentFields(const TainTypeRecord& record) {
  std::vector<const TainFieldDef*> all;
  for (int32_t d = 0; d < record.info->type_depth; ++d) {
    const int32_t index = record.info->type_ancestors[d]->type_index;
    const TainTypeRecord* parent = TainGetTypeRecord(index);
    if (parent != nullptr) AddFieldsOf(*parent, all);
  }
  AddFieldsOf(record, all);
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

/// One default-constructed object.
Any DefaultInstance(const TainTypeRecord& record, const ObjectMaker& maker) {
  void* memory = maker.Allocate();
  if (memory == nullptr) throw Error::MoveFromRaised();
  if (record.def.construct_default(memory) != 0) {
    TainObjectAbandon(memory, maker.type_index);
    throw Error::MoveFromRaised();
  }
  return Any::Steal(maker.Finish(memory));
}

/// What the instance holds in a field.
Any FieldValue(const Any& instance, const TainFieldDef& field) {
  TainAny value{};
  char* address = reinterpret_cast<char*>(instance.data().v_obj) + field.info.offset;
  CheckCode(field.info.getter(address, &value));
  return Any::Steal(value);
}

/// The parameter of a field. `keep` holds the default that is shown.
TainArgInfo ArgumentOf(const char* key, const TainFieldDef& field, const Any& instance,
                       std::vector<Any>& keep) {
  TainArgInfo out{};
  out.name = field.info.name;
  out.doc = field.info.doc;
  out.type = field.type;
  out.flags = kTainArgNamed | kTainArgHasDefault;
  if ((field.info.flags & kTainFieldKwOnly) != 0) out.flags |= kTainArgKwOnly;
  if ((field.info.flags & kTainFieldHasDefault) == 0) {
    keep.push_back(FieldValue(instance, field));
    out.default_value = keep.back().data();
    out.flags |= kTainArgUnchanged;
    return out;
  }
  out.default_value = field.info.default_value_or_factory;
  if ((field.info.flags & kTainFieldDefaultFactory) != 0) {
    out.flags |= kTainArgFactory;
  } else if (out.default_value.type_index == kTainList ||
             out.default_value.type_index == kTainDict) {
    TAIN_THROW(ValueError) << key << "." << NameOf(field)
                           << ": the default can change and would be shared by all objects: use "
                              "default_factory";
  }
  return out;
}

/// Remembers the parents that have no ObjectDef yet: one that comes later comes too late.
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

/// Marks the type; the journal of its unit has the record from before the constructor.
void MarkFieldInit(int32_t type_index) {
  Registry& registry = Registry::Default();
  std::unique_lock lock(registry.mutex);
  if (TypeEntry* entry = registry.types.Find(type_index)) {
    entry->record.def.flags |= kTainTypeFieldInit;
  }
}

}  // namespace

constinit const ForkSteps field_init_fork = StepsFor<&StateLock>();

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
  plan->fields = ArgumentFields(*record);
  const Any instance = DefaultInstance(*record, plan->maker);
  std::vector<TainArgInfo> args;
  std::vector<Any> keep;
  for (const TainFieldDef* field : plan->fields) {
    args.push_back(ArgumentOf(key, *field, instance, keep));
  }
  TainFunctionInfo info{};
  info.name = Bytes(key);
  info.return_type = Bytes(key);
  info.args = args.data();
  info.num_args = static_cast<int32_t>(args.size());
  info.flags = kTainCallConstructor;
  const Function function(ObjectPtr<FunctionObj>(make_object<FieldInitFunction>(plan.get())));
  TainObject* header = RefAccess::Header(function);
  CheckCode(TainFunctionSetInfo(header, &info));
  {
    FieldInitState& state = GetState();
    std::unique_lock lock(state.mutex);
    state.plans[TainFunctionGetInfo(header)] = plan.release();
  }
  NoteParents(*record);
  DefineConstructor(type_index, function, &ConstructInPlace, "", false);
  if (record->constructor == header) MarkFieldInit(type_index);  // else it was a fault
}

}  // namespace tain::internal
