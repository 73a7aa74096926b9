// SPDX-License-Identifier: Apache-2.0
// Constructors of types that the ABI's functions alone described.
//
// `__ffi_init__` takes positional arguments, then a marker object, then names and values in turn.
// If it is only an attribute, it takes the reflected fields, the required ones first; a library
// that does not define it asks for it by calling `ffi._RegisterFFIInit`. If it is also a method,
// the author defined it: its metadata lists the parameters, which have no names.
#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "base/error_object.h"
#include "base/guard.h"
#include "dynamic/dynamic_type.h"
#include "registry/field_init.h"
#include "registry/foreign_type.h"
#include "registry/object_maker.h"
#include "registry/overloads.h"
#include "registry/registration.h"
#include "registry/registry.h"
#include "registry/type_chain.h"
#include "registry/type_column.h"
#include "registry/unit.h"
#include "tain/internal/type_members.h"

namespace tain::internal {
namespace {

TypeColumn init_column{"__ffi_init__"};

std::string KeyOf(const TainTypeRecord& record) { return std::string(View(record.info->type_key)); }
bool HasDefault(const TainFieldDef& field) {
  return (field.info.flags & kTainFieldHasDefault) != 0;
}

/// The fields that a constructor takes, in its order: the required positional ones, the optional
/// positional ones, and the keyword-only ones.
struct InitFields {
  explicit InitFields(const TainTypeRecord& record) : type(&record) {
    std::vector<const TainFieldDef*> optional, by_keyword;
    for (const TainFieldDef* field : AllFieldsOf(record)) {
      if (!IsArgument(*field)) {
        if (HasDefault(*field)) others.push_back(field);
      } else if ((field->info.flags & kTainFieldKwOnly) != 0) {
        by_keyword.push_back(field);
      } else {
        (HasDefault(*field) ? optional : fields).push_back(field);
      }
    }
    fields.insert(fields.end(), optional.begin(), optional.end());
    positional = static_cast<int32_t>(fields.size());
    fields.insert(fields.end(), by_keyword.begin(), by_keyword.end());
  }

  const TainTypeRecord* type;
  std::vector<const TainFieldDef*> fields;
  int32_t positional = 0;
  std::vector<const TainFieldDef*> others;  ///< fields that are not arguments but have a default
};

// ---------------------------------------------------------------- calls

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

/// Makes a default object and sets its fields to values in their order, the others to their
/// defaults.
Function ByFields(const InitFields& init) {
  return Function::FromPacked([init](Args args) -> Any {
    CheckCount(*init.type, args);
    Any made = MakeDefault(*init.type);
    TainObject* object = made.data().v_obj;
    for (int32_t i = 0; i < static_cast<int32_t>(init.fields.size()); ++i) {
      const TainFieldDef& field = *init.fields[static_cast<size_t>(i)];
      Set(init, field, object, i < args.size() ? args.data()[i] : DefaultOf(field).data());
    }
    for (const TainFieldDef* field : init.others) {
      if (field->info.setter != nullptr) Set(init, *field, object, DefaultOf(*field).data());
    }
    return made;
  });
}

bool IsMarker(const TainAny& value) noexcept {
  return value.type_index == kTainObject && value.v_obj == KeywordArgumentsMarker();
}

/// A call of `__ffi_init__`: values by position, then the marker, names and values.
class InitCall {
 public:
  InitCall(const TainAny* args, int32_t count) : values_(args, args + count) {}
  void AddKeyword(const String& name, const TainAny& value) {
    if (names_.empty()) values_.push_back(ViewOfObject(KeywordArgumentsMarker()));
    values_.push_back(names_.emplace_back(name).data());
    values_.push_back(value);
  }
  Any Run(const ObjectPtr<Object>& init) const {
    TainAny result{};
    ThrowIfFailed(TainFunctionCall(RefAccess::Header(init), values_.data(),
                                   static_cast<int32_t>(values_.size()), &result));
    return Any::Steal(result);
  }

 private:
  std::vector<TainAny> values_;
  std::vector<Any> names_;  ///< what holds the names among the values
};

/// Calls `__ffi_init__` with values by position, and from `positional` on by the names of fields.
Function ByInit(const TainTypeRecord& record, const ObjectPtr<Object>& init,
                std::vector<const TainFieldDef*> fields, int32_t positional) {
  const TainTypeRecord* type = &record;  // never freed
  return Function::FromPacked([=](Args args) -> Any {
    CheckCount(*type, args);
    const int32_t count = std::min(args.size(), positional);
    InitCall call(args.data(), count);
    for (int32_t i = count; i < args.size(); ++i) {
      call.AddKeyword(View(fields[static_cast<size_t>(i)]->info.name), args.data()[i]);
    }
    return call.Run(init);
  });
}

/// Calls `__ffi_init__` with any arguments.
Function ByAnything(const ObjectPtr<Object>& init) {
  return Function::FromPacked([init](Args args) -> Any {
    const bool has_keywords = HasKeywords(args.data(), args.size());
    const int32_t count = args.size() - (has_keywords ? 2 : 0);
    InitCall call(args.data(), count);
    if (!has_keywords) return call.Run(init);
    const auto keywords = args[count + 1].cast<Map<String, Any>>();
    for (const auto& [name, value] : keywords) call.AddKeyword(name, value.data());
    return call.Run(init);
  });
}

// ---------------------------------------------------------------- constructors

/// The `__ffi_init__` of a library that asks for one: calls the constructor.
struct AskedInit {
  const TainTypeRecord* type;  ///< never freed
  Any operator()(Args args) const;
};

bool IsAsked(const TainObject* function) noexcept {
  const auto* cell = reinterpret_cast<const TainFunctionCell*>(function + 1);  // see c_api.h
  return cell->safe_call == &Closure<AskedInit>::SafeCall;
}

TainArgInfo Parameter(std::string_view name, std::string_view type, int32_t flags = 0) {
  TainArgInfo arg{};
  arg.name = {name.data(), name.size()};
  arg.type = {type.data(), type.size()};
  arg.flags = flags;
  return arg;
}

/// Makes a function with these parameters the constructor of the type.
void Install(const TainTypeRecord& record, const Function& function,
             const std::vector<TainArgInfo>& args) {
  TainFunctionInfo info{};
  info.name = info.return_type = record.info->type_key;
  info.args = args.data();
  info.num_args = static_cast<int32_t>(args.size());
  info.flags = kTainCallConstructor | kTainCallReleaseGil;  // it runs another library's code only
  ThrowIfFailed(TainFunctionSetInfo(RefAccess::Header(function), &info));
  ThrowIfFailed(ReplaceConstructor(record.info->type_index, function, nullptr));
}

/// Installs an `__ffi_init__` that its author defined.
void InstallWritten(const TainTypeRecord& record, const TainMethodDef& method) {
  const auto init = RefAccess::Share<Object>(method.info.method.v_obj);
  const auto types = TypesFromMetadata(method.info.metadata);
  if (!types) {
    return Install(record, ByAnything(init),
                   {Parameter("args", "Any", kTainArgVarPositional),
                    Parameter("kwargs", "Any", kTainArgVarKeyword)});
  }
  std::deque<std::string> names;
  std::vector<TainArgInfo> args;
  for (const std::string& type : types->parameters) {
    args.push_back(Parameter(names.emplace_back("arg" + std::to_string(names.size())), type));
  }
  Install(record, ByInit(record, init, {}, INT32_MAX), args);
}

/// Installs a constructor that takes the fields; `init` is the `__ffi_init__` that it calls, or null.
void InstallFields(const TainTypeRecord& record, TainObject* init) {
  const InitFields fields(record);
  std::deque<std::string> types;
  std::vector<TainArgInfo> args;
  for (const TainFieldDef* field : fields.fields) {
    args.push_back(ArgumentOf(*field));
    if (args.back().type.size != 0) continue;
    const std::string& type = types.emplace_back(TypeFromMetadata(field->info.metadata));
    args.back().type = {type.data(), type.size()};
  }
  Install(record,
          init == nullptr
              ? ByFields(fields)
              : ByInit(record, RefAccess::Share<Object>(init), fields.fields, fields.positional),
          args);
}

void Complete(const TainTypeRecord& record) {
  if (record.constructor != nullptr || record.info->type_index < kTainDynObjectBegin ||
      (record.def.flags & (kTainTypeDefined | kTainTypeDead)) != 0) {
    return;
  }
  if (const TainMethodDef* method = OwnMethod(record, "__ffi_init__")) {
    return InstallWritten(record, *method);
  }
  const TainAny* init = init_column.Find(record.info->type_index);
  const bool has_init = init != nullptr && init->type_index == kTainFunction;
  if (has_init || TainTypeHasDefault(record.info->type_index) != 0) {
    InstallFields(record, has_init && !IsAsked(init->v_obj) ? init->v_obj : nullptr);
  }
}

Any AskedInit::operator()(Args args) const {
  Complete(*type);
  if (type->constructor == nullptr) TAIN_THROW(TypeError) << KeyOf(*type) << " has no constructor";
  int32_t count = 0;
  while (count < args.size() && !IsMarker(args.data()[count])) ++count;
  Map<String, Any> keywords;
  for (int32_t i = count + 1; i < args.size(); i += 2) {
    if (i + 1 == args.size()) {
      TAIN_THROW(TypeError) << KeyOf(*type) << "(): the last keyword has no value";
    }
    const auto name = args[i].cast<String>();
    if (keywords.count(name) != 0) {
      TAIN_THROW(TypeError) << KeyOf(*type) << "() got multiple values for argument '" << name
                            << "'";
    }
    keywords.Set(name, args[i + 1]);
  }
  const Kwargs named(std::move(keywords));
  return CallWithKeywords(type->constructor, Args(args.data(), count), named, false);
}

/// Called by a library that does not define `__ffi_init__`, in its static initializers, so it
/// raises nothing there.
void RegisterFieldInit(int32_t type_index) {
  const int code = GuardRegistration([&](Unit*) {
    const TainTypeRecord& record = RegisteredType(type_index);
    if (init_column.Find(type_index) != nullptr) return;
    const Function function = Function::Wrap(AskedInit{&record});
    const TainAny value = ViewOfObject(RefAccess::Header(function));
    const TainByteArray name = Bytes("__ffi_init__");
    ThrowIfFailed(TainTypeRegisterAttr(type_index, &name, &value));
  });
  ThrowIfFailed(code);
}

const int registered = SetGlobalFunction("ffi._RegisterFFIInit", &RegisterFieldInit);

}  // namespace
}  // namespace tain::internal

extern "C" int TainTypeComplete(int32_t type_index) noexcept {
  using namespace tain::internal;
  return Guard([&] { Complete(RegisteredType(type_index)); });
}
