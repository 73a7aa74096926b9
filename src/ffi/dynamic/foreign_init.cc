// SPDX-License-Identifier: Apache-2.0
// Constructors of types that the ABI's functions alone described.
//
// `__ffi_init__` takes positional arguments, then a marker object, then names and values in turn.
// If it is only an attribute, it takes the reflected fields, the required ones first; a library
// that does not define it asks for it by calling `ffi._RegisterFFIInit`. If it is also a method,
// the author defined it: its metadata lists the parameters, which have no names.
#include <memory>
#include <string>
#include <vector>

#include "base/error_object.h"
#include "base/guard.h"
#include "dynamic/dynamic_type.h"
#include "registry/foreign_type.h"
#include "registry/overloads.h"
#include "registry/registration.h"
#include "registry/registry.h"
#include "registry/type_chain.h"
#include "registry/type_column.h"
#include "registry/unit.h"
#include "tain/internal/all_fields.h"

namespace tain::internal {
namespace {

TypeColumn init_column{"__ffi_init__"};

std::string KeyOf(const TainTypeRecord& record) { return std::string(View(record.info->type_key)); }
bool HasDefault(const TainFieldDef& field) {
  return (field.info.flags & kTainFieldHasDefault) != 0;
}
bool IsKeywordOnly(const TainFieldDef& field) { return (field.info.flags & kTainFieldKwOnly) != 0; }

/// The fields that a constructor takes, in its order: the required positional ones, the optional
/// positional ones, and the keyword-only ones.
struct InitFields {
  explicit InitFields(const TainTypeRecord& record) : type(&record) {
    std::vector<const TainFieldDef*> optional, by_keyword;
    for (const TainFieldDef* field : AllFieldsOf(record)) {
      if ((field->info.flags & kTainFieldNoInit) != 0 || field->info.setter == nullptr) {
        if (HasDefault(*field)) others.push_back(field);
      } else if (IsKeywordOnly(*field)) {
        by_keyword.push_back(field);
      } else {
        (HasDefault(*field) ? optional : fields).push_back(field);
      }
    }
    fields.insert(fields.end(), optional.begin(), optional.end());
    positional = fields.size();
    fields.insert(fields.end(), by_keyword.begin(), by_keyword.end());
  }
  size_t Find(std::string_view name) const {
    for (size_t i = 0; i < fields.size(); ++i) {
      if (View(fields[i]->info.name) == name) return i;
    }
    return fields.size();
  }

  const TainTypeRecord* type;
  std::vector<const TainFieldDef*> fields;
  size_t positional = 0;
  std::vector<const TainFieldDef*> others;  ///< fields that are not arguments but have a default
};

// ---------------------------------------------------------------- the constructor from fields

/// The given value of each field.
using Given = std::vector<const TainAny*>;

bool IsMarker(const TainAny& value) {
  return value.type_index == kTainObject && value.v_obj == KeywordArgumentsMarker();
}

Given Bind(const InitFields& init, Args args) {
  const std::string where = KeyOf(*init.type) + "()";
  Given given(init.fields.size());
  int32_t count = 0;
  while (count < args.size() && !IsMarker(args.data()[count])) ++count;
  if (static_cast<size_t>(count) > init.positional) {
    TAIN_THROW(TypeError) << where << " takes " << init.positional << " positional argument"
                          << (init.positional == 1 ? "" : "s") << " but " << count << " were given";
  }
  for (int32_t i = 0; i < count; ++i) given[static_cast<size_t>(i)] = args.data() + i;
  for (int32_t i = count + 1; i < args.size(); i += 2) {
    if (i + 1 == args.size()) {
      TAIN_THROW(TypeError) << where << ": the last keyword has no value";
    }
    const String name = args[i].cast<String>();
    const size_t at = init.Find({name.data(), name.size()});
    if (at == init.fields.size()) {
      TAIN_THROW(TypeError) << where << " got an unexpected keyword argument '" << name << "'";
    }
    if (given[at] != nullptr) {
      TAIN_THROW(TypeError) << where << " got multiple values for argument '" << name << "'";
    }
    given[at] = args.data() + i + 1;
  }
  return given;
}

void Set(const InitFields& init, const TainFieldDef& field, TainObject* object,
         const TainAny& value) {
  if (SetField(field, object, value) == 0) return;
  const Error error = TakeRaisedError();
  // Setters of other libraries make their own error texts, which stay unchanged.
  const bool about_value = error.kind() == "TypeError" || error.kind() == "ValueError" ||
                           error.kind() == "OverflowError";
  if (!about_value) throw error;
  const std::string where =
      KeyOf(*init.type) + ": argument " + std::string(View(field.info.name)) + ": ";
  throw Error(error.kind(), where + error.message(), error.backtrace());
}

/// Makes a default object and sets the given fields; the others get their defaults.
Any InitFromFields(const InitFields& init, Args args) {
  const Given given = Bind(init, args);
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] != nullptr || HasDefault(*init.fields[i])) continue;
    TAIN_THROW(TypeError) << KeyOf(*init.type) << "() missing argument '"
                          << View(init.fields[i]->info.name) << "'";
  }
  std::optional<Any> made = MakeForeignDefault(*init.type);
  if (!made) TAIN_THROW(TypeError) << KeyOf(*init.type) << " has no default constructor";
  TainObject* object = made->data().v_obj;
  for (size_t i = 0; i < given.size(); ++i) {
    const TainFieldDef& field = *init.fields[i];
    Set(init, field, object, given[i] != nullptr ? *given[i] : DefaultOf(field).data());
  }
  for (const TainFieldDef* field : init.others) {
    if (field->info.setter != nullptr) Set(init, *field, object, DefaultOf(*field).data());
  }
  return *std::move(made);
}

Function FieldInit(const TainTypeRecord& record) {
  const TainTypeRecord* type = &record;  // never freed
  // The fields are read in each call, because more of them may be registered before.
  return Function::FromPacked(
      [type](Args args) -> Any { return InitFromFields(InitFields(*type), args); });
}

// ---------------------------------------------------------------- what Python calls

/// The parameters for the fields.
class FieldParameters {
 public:
  explicit FieldParameters(const InitFields& init) {
    for (const TainFieldDef* field : init.fields) {
      TainArgInfo arg{};
      arg.name = field->info.name;
      arg.doc = field->info.doc;
      types_.push_back(std::string(View(field->type)));
      if (types_.back().empty()) types_.back() = TypeFromMetadata(field->info.metadata);
      arg.flags = kTainArgNamed | (IsKeywordOnly(*field) ? int32_t{kTainArgKwOnly} : 0);
      if (HasDefault(*field)) {
        arg.flags |= kTainArgHasDefault;
        if ((field->info.flags & kTainFieldDefaultFactory) != 0) arg.flags |= kTainArgFactory;
        arg.default_value = field->info.default_value_or_factory;
      }
      args_.push_back(arg);
    }
    for (size_t i = 0; i < args_.size(); ++i) {
      args_[i].type = {types_[i].data(), types_[i].size()};
    }
  }
  const std::vector<TainArgInfo>& args() const { return args_; }

 private:
  std::vector<std::string> types_;
  std::vector<TainArgInfo> args_;
};

/// The arguments of `__ffi_init__`: the positional ones, the marker, names and values.
class PackedInit {
 public:
  void Add(const TainAny& value) { values_.push_back(value); }
  void AddKeyword(std::string_view name, const TainAny& value) {
    if (!has_marker_) {
      TainAny marker{};
      marker.type_index = kTainObject;
      marker.v_obj = KeywordArgumentsMarker();
      values_.push_back(marker);
      has_marker_ = true;
    }
    names_.push_back(std::make_unique<Any>(String(name)));
    values_.push_back(names_.back()->data());
    values_.push_back(value);
  }
  Any Call(TainObject* init) const {
    TainAny result{};
    CheckCode(
        TainFunctionCall(init, values_.data(), static_cast<int32_t>(values_.size()), &result));
    return Any::Steal(result);
  }

 private:
  std::vector<TainAny> values_;
  std::vector<std::unique_ptr<Any>> names_;
  bool has_marker_ = false;
};

/// Throws if a required parameter has no value, or if there are too many values.
void CheckCount(const TainTypeRecord& record, Args args) {
  const TainFunctionInfo* info = TainFunctionGetInfo(record.constructor);
  if (info == nullptr) return;
  int32_t known = args.size();
  while (known < info->num_args && (info->args[known].flags & kTainArgHasDefault) != 0) ++known;
  if (known == info->num_args) return;
  // This function makes the error text, and throws before it writes.
  CompleteArguments(info, args.data(), args.size(), info->num_args, nullptr, nullptr);
}

/// Calls `__ffi_init__` with values in the order of the fields.
Function ByFields(const ObjectPtr<Object>& init, const InitFields& fields) {
  return Function::FromPacked([init, fields](Args args) -> Any {
    CheckCount(*fields.type, args);
    PackedInit packed;
    for (int32_t i = 0; i < args.size(); ++i) {
      const auto at = static_cast<size_t>(i);
      if (at < fields.positional || at >= fields.fields.size()) {
        packed.Add(args.data()[i]);
      } else {
        packed.AddKeyword(View(fields.fields[at]->info.name), args.data()[i]);
      }
    }
    return packed.Call(RefAccess::Header(init));
  });
}

/// Calls `__ffi_init__` with values by position.
Function ByPosition(const ObjectPtr<Object>& init, const TainTypeRecord& record) {
  const TainTypeRecord* type = &record;  // never freed
  return Function::FromPacked([init, type](Args args) -> Any {
    CheckCount(*type, args);
    PackedInit packed;
    for (int32_t i = 0; i < args.size(); ++i) packed.Add(args.data()[i]);
    return packed.Call(RefAccess::Header(init));
  });
}

/// Calls `__ffi_init__` with any arguments.
Function ByAnything(const ObjectPtr<Object>& init) {
  return Function::FromPacked([init](Args args) -> Any {
    PackedInit packed;
    const bool has_keywords = HasKeywords(args.data(), args.size());
    const int32_t count = args.size() - (has_keywords ? 2 : 0);
    for (int32_t i = 0; i < count; ++i) packed.Add(args.data()[i]);
    if (!has_keywords) return packed.Call(RefAccess::Header(init));
    const auto keywords = args[count + 1].cast<Map<String, Any>>();
    for (const auto& [name, value] : keywords) {
      packed.AddKeyword({name.data(), name.size()}, value.data());
    }
    return packed.Call(RefAccess::Header(init));
  });
}

TainArgInfo RestParameter(const char* name, int32_t flags) {
  TainArgInfo arg{};
  arg.name = Bytes(name);
  arg.type = Bytes("Any");
  arg.flags = flags;
  return arg;
}

/// Makes a function with these parameters the constructor of the type.
void Install(const TainTypeRecord& record, const Function& function, const TainArgInfo* args,
             size_t num_args) {
  TainFunctionInfo info{};
  info.name = info.return_type = record.info->type_key;
  info.args = args;
  info.num_args = static_cast<int32_t>(num_args);
  info.flags = kTainCallConstructor | kTainCallReleaseGil;  // it runs another library's code only
  CheckCode(TainFunctionSetInfo(RefAccess::Header(function), &info));
  CheckCode(ReplaceConstructor(record.info->type_index, function, nullptr));
}

/// Installs an `__ffi_init__` that its author defined.
void InstallWritten(const TainTypeRecord& record, const TainMethodDef& method) {
  const auto init = RefAccess::Share<Object>(method.info.method.v_obj);
  const auto types = ParametersFromMetadata(method.info.metadata);
  std::vector<TainArgInfo> args;
  std::vector<std::string> names;
  if (!types) {
    args = {RestParameter("args", kTainArgVarPositional),
            RestParameter("kwargs", kTainArgVarKeyword)};
  } else {
    for (size_t i = 0; i < types->size(); ++i) names.push_back("arg" + std::to_string(i));
    for (size_t i = 0; i < types->size(); ++i) {
      TainArgInfo arg{};
      arg.name = {names[i].data(), names[i].size()};
      arg.type = {(*types)[i].data(), (*types)[i].size()};
      args.push_back(arg);
    }
  }
  Install(record, types ? ByPosition(init, record) : ByAnything(init), args.data(), args.size());
}

void Complete(const TainTypeRecord& record) {
  if (record.constructor != nullptr || record.info->type_index < kTainDynObjectBegin ||
      (record.def.flags & (kTainTypeDefined | kTainTypeDead)) != 0) {
    return;
  }
  if (const TainMethodDef* method = OwnMethod(record, "__ffi_init__")) {
    return InstallWritten(record, *method);
  }
  const InitFields fields(record);
  const FieldParameters parameters(fields);
  const auto& args = parameters.args();
  const TainAny* init = init_column.Find(record.info->type_index);
  if (init != nullptr && init->type_index == kTainFunction) {
    const auto function = RefAccess::Share<Object>(init->v_obj);
    Install(record, ByFields(function, fields), args.data(), args.size());
  } else if (TainTypeHasDefault(record.info->type_index) != 0) {
    const Function function = FieldInit(record);
    const auto header = RefAccess::Share<Object>(RefAccess::Header(function));
    Install(record, ByFields(header, fields), args.data(), args.size());
  }
}

/// Called by a library that does not define `__ffi_init__`, in its static initializers, so it
/// raises nothing there.
void RegisterFieldInit(int32_t type_index) {
  const int code = GuardRegistration([&](Unit*) {
    const TainTypeRecord* record = TainGetTypeRecord(type_index);
    if (record == nullptr) {
      TAIN_THROW(ValueError) << "type index " << type_index << " is not that of a registered type";
    }
    if (init_column.Find(type_index) != nullptr) return;
    TainAny value{};
    const Function function = FieldInit(*record);
    value.type_index = kTainFunction;
    value.v_obj = RefAccess::Header(function);
    const TainByteArray name = Bytes("__ffi_init__");
    CheckCode(TainTypeRegisterAttr(type_index, &name, &value));
  });
  CheckCode(code);
}

const int registered = [] {
  const TainByteArray name = Bytes("ffi._RegisterFFIInit");
  const Function function = &RegisterFieldInit;
  return TainFunctionSetGlobal(&name, RefAccess::Header(function), 0);
}();

}  // namespace
}  // namespace tain::internal

extern "C" int TainTypeComplete(int32_t type_index) noexcept {
  using namespace tain::internal;
  return Guard([&] {
    const TainTypeRecord* record = TainGetTypeRecord(type_index);
    if (record == nullptr) {
      TAIN_THROW(ValueError) << "type index " << type_index << " is not that of a registered type";
    }
    Complete(*record);
  });
}
