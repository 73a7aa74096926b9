// SPDX-License-Identifier: Apache-2.0
// The registered items, for programs that load libraries: types with their members, enums,
// functions with their parameters.
//
//   for (const auto& type : tain::Types("geometry.")) std::cout << type.key() << '\n';
//   tain::LibraryInfo library = tain::LoadLibrary("libgeometry.so");
//   tain::reflection::FunctionInfo info(module["area"]);
//   info.signature();  // "area(radius: float, scale: float = 1.0) -> float"
// The classes here are small values. They refer to records that are never freed, so the texts stay
// valid too. A type that is registered anew gets a new record.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tain/c_api_registry.h"
#include "tain/function.h"
#include "tain/internal/call_flags.h"
#include "tain/module.h"

namespace tain {

/// Returns a value as text, as Python's repr writes it. Cycles and deep nesting are cut off.
TAIN_DLL std::string Repr(const AnyView& value);

namespace reflection {

/// A parameter of a function, without the receiver of a method.
class ParameterInfo {
 public:
  explicit ParameterInfo(const TainArgInfo* record) noexcept : record_(record) {}
  std::string_view name() const noexcept { return internal::View(record_->name); }
  std::string_view doc() const noexcept { return internal::View(record_->doc); }
  /// The type expression, such as `Array[geometry.Point]`.
  std::string_view type() const noexcept { return internal::View(record_->type); }
  /// Whether a call may leave it out.
  bool is_optional() const noexcept {
    return Has(kTainArgHasDefault | kTainArgUnchanged | kTainArgOptional);
  }
  /// The default. None also if there is none, if each call makes a new one, and if only the
  /// function knows it.
  Any default_value() const {
    const bool known = Has(kTainArgHasDefault) && !Has(kTainArgFactory);
    return known ? Any(AnyView(record_->default_value)) : Any();
  }
  bool is_keyword_only() const noexcept { return Has(kTainArgKwOnly); }
  /// Whether it takes all further positional arguments, or all further keyword arguments.
  bool takes_rest() const noexcept { return Has(kTainArgVarPositional | kTainArgVarKeyword); }

 private:
  bool Has(int32_t flags) const noexcept { return (record_->flags & flags) != 0; }
  const TainArgInfo* record_;
};

/// The name, parameters and documentation of a function. A function of which nothing is known, such
/// as a Python function, has empty texts and no parameters.
class FunctionInfo {
 public:
  explicit FunctionInfo(const Function& function) noexcept
      : record_(TainFunctionGetInfo(internal::RefAccess::Header(function))) {}
  explicit FunctionInfo(const TainFunctionInfo* record) noexcept : record_(record) {}
  /// Whether something is known of the function.
  explicit operator bool() const noexcept { return record_ != nullptr; }
  /// The full name, such as `geometry.Point.norm`.
  std::string_view name() const noexcept { return Text(&TainFunctionInfo::name); }
  std::string_view doc() const noexcept { return Text(&TainFunctionInfo::doc); }
  /// The type expression of the result.
  std::string_view return_type() const noexcept { return Text(&TainFunctionInfo::return_type); }
  /// The parameters; none if the function takes any arguments, or is overloaded.
  std::vector<ParameterInfo> parameters() const {
    std::vector<ParameterInfo> all;
    for (int32_t i = 0; record_ != nullptr && i < record_->num_args; ++i) {
      all.emplace_back(&record_->args[i]);
    }
    return all;
  }
  /// The candidates of an overloaded function, in order of registration.
  std::vector<FunctionInfo> overloads() const {
    std::vector<FunctionInfo> all;
    for (int32_t i = 0; record_ != nullptr && i < record_->num_overloads; ++i) {
      all.emplace_back(record_->overloads[i].info);
    }
    return all;
  }
  /// Whether the function takes any arguments.
  bool takes_anything() const noexcept { return record_ == nullptr || Has(kTainCallPacked); }
  bool is_constructor() const noexcept { return Has(kTainCallConstructor); }
  /// Whether a class of the host may override the method.
  bool is_virtual() const noexcept { return Has(kTainCallVirtual); }
  bool releases_gil() const noexcept { return Has(kTainCallReleaseGil); }
  /// Whether threads may call it at the same time (tain::thread_safe, tain::release_gil).
  bool is_thread_safe() const noexcept { return internal::IsThreadSafe(record_); }
  /// Whether calls take a lock of their object (tain::lock_receiver).
  bool locks_receiver() const noexcept { return internal::LocksReceiver(record_); }
  /// The last part of the name with parameters and result: `area(radius: float) -> float`.
  TAIN_DLL std::string signature() const;

 private:
  std::string_view Text(TainByteArray TainFunctionInfo::* member) const noexcept {
    return record_ == nullptr ? std::string_view() : internal::View(record_->*member);
  }
  bool Has(int32_t flags) const noexcept {
    return record_ != nullptr && (record_->flags & flags) != 0;
  }
  const TainFunctionInfo* record_;
};

/// A field or a property of a type. GetField and SetField (access.h) read and write it.
class FieldInfo {
 public:
  explicit FieldInfo(const TainFieldDef* field) noexcept
      : name_(field->info.name),
        doc_(field->info.doc),
        type_(field->type),
        is_writable_((field->info.flags & kTainFieldWritable) != 0) {}
  explicit FieldInfo(const TainPropertyDef* property) noexcept
      : name_(property->name),
        doc_(property->doc),
        type_(property->type),
        is_writable_(property->setter != nullptr) {}
  std::string_view name() const noexcept { return internal::View(name_); }
  std::string_view doc() const noexcept { return internal::View(doc_); }
  /// The type expression.
  std::string_view type() const noexcept { return internal::View(type_); }
  bool is_writable() const noexcept { return is_writable_; }

 private:
  TainByteArray name_, doc_, type_;
  bool is_writable_;
};

/// A method of a type.
class MethodInfo {
 public:
  explicit MethodInfo(const TainMethodDef* record) noexcept : record_(record) {}
  std::string_view name() const noexcept { return internal::View(record_->info.name); }
  std::string_view doc() const noexcept { return internal::View(record_->info.doc); }
  bool is_static() const noexcept { return (record_->info.flags & kTainMethodStatic) != 0; }
  FunctionInfo info() const noexcept { return FunctionInfo(record_->call); }
  /// The function. Its first argument is the object, unless the method is static.
  Function function() const { return AnyView(record_->info.method).cast<Function>(); }

 private:
  const TainMethodDef* record_;
};

/// A registered type.
class TypeInfo {
 public:
  explicit TypeInfo(const TainTypeRecord* record) noexcept : record_(record) {}
  std::string_view key() const noexcept { return internal::View(record_->info->type_key); }
  std::string_view doc() const noexcept { return internal::View(record_->def.doc); }
  /// The file of the library that registered it; empty for types of libtain.
  std::string_view library() const noexcept { return internal::View(record_->unit_file); }
  int32_t index() const noexcept { return record_->info->type_index; }
  /// The parent; nothing for ffi.Object and for types without parent.
  std::optional<TypeInfo> parent() const noexcept {
    const TainTypeRecord* found = TainGetTypeRecord(record_->request.parent);
    return found == nullptr ? std::nullopt : std::optional(TypeInfo(found));
  }
  /// Whether the type is `other` or derives from it.
  bool is_a(const TypeInfo& other) const noexcept {
    return TainTypeIsInstance(index(), other.index()) != 0;
  }
  bool is_abstract() const noexcept { return (record_->def.flags & kTainTypeAbstract) != 0; }
  bool is_frozen() const noexcept { return (record_->def.flags & kTainTypeFrozen) != 0; }
  /// What its author says of threads without a GIL; see docs/threads.md.
  bool is_thread_safe() const noexcept { return (record_->def.flags & kTainTypeThreadSafe) != 0; }
  bool locks_receiver() const noexcept { return (record_->def.flags & kTainTypeLockReceiver) != 0; }
  /// The members of the type itself, without those of its parents, in order of registration.
  std::vector<FieldInfo> fields() const {
    return All<FieldInfo>(record_->fields, record_->num_fields);
  }
  std::vector<FieldInfo> properties() const {
    return All<FieldInfo>(record_->properties, record_->num_properties);
  }
  std::vector<MethodInfo> methods() const {
    return All<MethodInfo>(record_->methods, record_->num_methods);
  }
  /// The names and values of the constants.
  std::vector<std::pair<std::string_view, Any>> constants() const {
    std::vector<std::pair<std::string_view, Any>> all;
    for (int32_t i = 0; i < record_->num_constants; ++i) {
      const TainConstantDef& constant = *record_->constants[i];
      all.emplace_back(internal::View(constant.name), AnyView(constant.value));
    }
    return all;
  }
  /// The function that makes an object; null if the type has no constructor.
  Function constructor() const {
    return Function(internal::RefAccess::Share<FunctionObj>(record_->constructor));
  }

 private:
  template <class Info, class Record>
  static std::vector<Info> All(Record* const* records, int32_t count) {
    return std::vector<Info>(records, records + count);
  }
  const TainTypeRecord* record_;
};

/// A registered enum.
class EnumInfo {
 public:
  /// A member: name, C++ value, documentation.
  struct Member {
    std::string_view name;
    int64_t value;
    std::string_view doc;
  };
  explicit EnumInfo(const TainEnumInfo* record) noexcept : record_(record) {}
  std::string_view key() const noexcept { return internal::View(record_->key); }
  std::string_view doc() const noexcept { return internal::View(record_->doc); }
  std::vector<Member> members() const {
    std::vector<Member> all;
    for (int32_t i = 0; i < record_->num_members; ++i) {
      const TainEnumMember& member = record_->members[i];
      all.push_back({internal::View(member.name), member.value, internal::View(member.doc)});
    }
    return all;
  }

 private:
  const TainEnumInfo* record_;
};

}  // namespace reflection

/// Returns all types whose keys begin with a prefix, sorted by key. Raises the registration faults
/// of libraries that LoadLibrary did not load, as do the next three functions.
TAIN_DLL std::vector<reflection::TypeInfo> Types(std::string_view prefix = "");
/// Returns the type of a key. Throws ValueError if there is none; the text suggests similar keys.
TAIN_DLL reflection::TypeInfo TypeOfKey(std::string_view key);
/// Returns all enums whose keys begin with a prefix, sorted by key.
TAIN_DLL std::vector<reflection::EnumInfo> Enums(std::string_view prefix = "");
/// Returns the names of all global functions that begin with a prefix, sorted.
TAIN_DLL std::vector<std::string> GlobalFunctionNames(std::string_view prefix = "");

/// The items that a library registered, except those that were replaced or removed since.
class LibraryInfo {
 public:
  /// Takes the path of a library that is loaded.
  TAIN_DLL explicit LibraryInfo(std::string_view path);
  /// Takes the module of a library. Modules of other kinds have registered nothing.
  TAIN_DLL explicit LibraryInfo(const Module& module);
  // A temporary returns values, so that `for (auto& type : LibraryInfo(path).types())` is safe.
  const std::string& path() const& noexcept { return path_; }
  std::string path() && noexcept { return std::move(path_); }
  const std::vector<reflection::TypeInfo>& types() const& noexcept { return types_; }
  std::vector<reflection::TypeInfo> types() && noexcept { return std::move(types_); }
  const std::vector<reflection::EnumInfo>& enums() const& noexcept { return enums_; }
  std::vector<reflection::EnumInfo> enums() && noexcept { return std::move(enums_); }
  /// The names of its global functions. The functions of a module are the module's own.
  const std::vector<std::string>& functions() const& noexcept { return functions_; }
  std::vector<std::string> functions() && noexcept { return std::move(functions_); }
  /// The keys of exception classes (ErrorDef), sorted.
  const std::vector<std::string>& errors() const& noexcept { return errors_; }
  std::vector<std::string> errors() && noexcept { return std::move(errors_); }

 private:
  std::string path_;
  std::vector<reflection::TypeInfo> types_;
  std::vector<reflection::EnumInfo> enums_;
  std::vector<std::string> functions_;
  std::vector<std::string> errors_;
};

/// Loads a shared library: either all of its registrations take effect, or none and ImportError is
/// thrown. Throws FileNotFoundError. A library whose file has not changed is not loaded again.
TAIN_DLL LibraryInfo LoadLibrary(std::string_view path);

}  // namespace tain
