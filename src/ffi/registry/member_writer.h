// SPDX-License-Identifier: Apache-2.0
// MemberWriter: checks and stores the members of a type, one at a time.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "registry/registry.h"

namespace tain::internal {

/// The name of a member for messages, made only when there is a message.
struct MemberPath {
  const TypeEntry& entry;
  std::string_view name;
  std::string Text() const { return entry.Name() + "." + std::string(name); }
};

/// Writes the members of one type, and holds the registry's lock while it lives. All functions
/// throw Error on a mistake and then have changed nothing.
class MemberWriter {
 public:
  /// Throws if there is no such type, or if another library described it.
  MemberWriter(Registry& registry, int32_t type_index, Unit* unit);
  ~MemberWriter() {
    if (entry_ != nullptr) entry_->Changed();
  }

  /// Whether all further members are ignored, because the registration or description of the type
  /// failed and that was reported.
  bool ignored() const noexcept { return ignored_; }

  void Define(const TainTypeDef& def);
  /// Sets the layout of objects that are laid out at run time; `layout` is never freed.
  void SetLayout(const void* layout) noexcept;
  void SetState(const TainTypeState& state);
  void SetMetadata(const TainTypeMetadata& metadata);
  void AddField(const TainFieldDef& def, Any default_value);
  void AddMethod(const TainMethodDef& def);
  void AddProperty(const TainPropertyDef& def);
  void AddConstant(const TainConstantDef& def, Any value);
  void SetConstructor(TainObject* function, decltype(TainTypeDef::construct) construct);
  /// The same, but replaces a method of the same name.
  void AddOrReplaceMethod(const TainMethodDef& def);
  /// Replaces the method of the same name by one that may have one overload more. Returns the
  /// previous Function.
  TainAny ReplaceMethod(const TainMethodDef& def);
  void ReplaceConstructor(TainObject* function, decltype(TainTypeDef::construct) construct);

 private:
  /// Writes the present members to the journal, once.
  void Save();
  /// Returns the name of a new member; throws if it is no name, or that of another member.
  std::string_view NewName(const TainByteArray& given, const char* what) const;
  void CheckMethod(const TainMethodDef& def, std::string_view name) const;
  /// Returns the record of a method that was checked.
  TainMethodDef* NewMethod(const TainMethodDef& def);
  const char* Key() const noexcept { return entry_->info.type_key.data; }
  /// Returns the metadata of a field. It is stored once for each type expression.
  TainByteArray SchemaOfField(std::string_view type);
  TainByteArray SchemaOfMethod(const TainFunctionInfo* call);

  Registry& registry_;
  std::unique_lock<RegistryMutex> lock_;
  TypeEntry* entry_ = nullptr;
  Unit* unit_;
  bool ignored_ = false;
};

/// Throws if a member has a name that Python reserves for its classes.
void CheckMemberName(const MemberPath& where, std::string_view name);
/// Throws unless the flags, kind, place and accessors of a field fit each other and its type.
void CheckField(const TypeEntry& entry, const TainFieldDef& def, const MemberPath& where);
/// Throws unless `value` can be the default of the field.
void CheckFieldDefault(const Registry& registry, const TainFieldDef& def, const TainAny& value,
                       const MemberPath& where);
/// Returns a Function object that is not null, or throws TypeError `where: expected what, got ...`.
TainObject* CheckFunction(TainObject* object, std::string_view where, const char* what);
/// Returns the type of a value as users name it.
std::string NameOfValueType(const Registry& registry, const TainAny& value);

/// Returns the ABI's metadata for a type expression: `{"type_schema":"{\"type\":\"int\"}"}`, with
/// `Any` for an expression that cannot be read.
std::string FieldMetadata(std::string_view type);
/// Returns such a text for the type that has a key.
std::string KeyMetadata(std::string_view type_key);
/// Returns such a text for a function, from those of its result and its parameters; without them
/// it takes any arguments.
std::string FunctionMetadata(const std::vector<std::string_view>& parts);
std::string MetadataOf(const TainFunctionInfo& info);

/// Returns the type index in the ABI's record of a field.
int32_t StaticIndexOf(const TainFieldDef& def) noexcept;

}  // namespace tain::internal
