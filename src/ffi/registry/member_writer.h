// SPDX-License-Identifier: Apache-2.0
// MemberWriter: checks and stores what a type consists of, one member at a time.
#pragma once

#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "registry/registry.h"

namespace tain::internal {

/// A member as a message names it, spelled when there is a message.
struct MemberPath {
  const TypeEntry& entry;
  std::string_view name;
  std::string Text() const { return entry.Name() + "." + std::string(name); }
};

/// Holds the registry's lock while it lives. All functions throw Error on a mistake and then have
/// changed nothing.
class MemberWriter {
 public:
  /// Throws if there is no such type, or if another library described it.
  MemberWriter(Registry& registry, int32_t type_index, Unit* unit);

  /// Whether what comes is to be dropped: the type's own registration or description failed, which
  /// has been said.
  bool ignored() const noexcept { return ignored_; }

  void Define(const TainTypeDef& def);
  /// Says how objects are laid out at run time; `layout` lives for ever.
  void SetLayout(const void* layout) noexcept;
  void SetMetadata(const TainTypeMetadata& metadata);
  void AddField(const TainFieldDef& def, Any default_value);
  void AddMethod(const TainMethodDef& def);
  void AddProperty(const TainPropertyDef& def);
  void AddConstant(const TainConstantDef& def, Any value);
  void SetConstructor(TainObject* function, decltype(TainTypeDef::construct) construct);
  /// The same, or in the place of the method of its name.
  void AddOrReplaceMethod(const TainMethodDef& def);
  /// A method in the place of the one of its name, which may have an overload more; returns the
  /// Function that stood there.
  TainAny ReplaceMethod(const TainMethodDef& def);
  void ReplaceConstructor(TainObject* function, decltype(TainTypeDef::construct) construct);

 private:
  /// Writes the members as they are to the journal, once.
  void Save();
  void CheckFree(std::string_view name) const;
  void CheckMethod(const TainMethodDef& def, std::string_view name) const;
  /// The record of a method that has been checked.
  TainMethodDef* NewMethod(const TainMethodDef& def);
  void StoreConstructor(TainObject* function, decltype(TainTypeDef::construct) construct);
  const char* Key() const noexcept { return entry_->info.type_key.data; }
  /// Metadata text of a field, one copy for each type expression.
  TainByteArray SchemaOfField(std::string_view type);
  TainByteArray SchemaOfMethod(const TainFunctionInfo* call);

  Registry& registry_;
  std::unique_lock<std::shared_mutex> lock_;
  TypeEntry* entry_ = nullptr;
  Unit* unit_;
  bool ignored_ = false;
};

/// Throws if a member's name is one that Python keeps for its classes.
void CheckMemberName(const MemberPath& where, std::string_view name);
/// Throws unless a field's flags, kind, place and accessors fit each other and its type.
void CheckField(const TypeEntry& entry, const TainFieldDef& def, const MemberPath& where);
/// Throws unless `value` can be the field's default.
void CheckFieldDefault(const Registry& registry, const TainFieldDef& def, const TainAny& value,
                       const MemberPath& where);
/// A Function object that is not null, or TypeError `where: expected what, got ...`.
TainObject* CheckFunction(TainObject* object, std::string_view where, const char* what);
/// The user's word for the type of a value.
std::string NameOfValueType(const Registry& registry, const TainAny& value);

/// The ABI's metadata text for a type expression: `{"type_schema":"{\"type\":\"int\"}"}`; `Any` for
/// what cannot be read.
std::string FieldMetadata(std::string_view type);
/// The schema inside of such a text, escaped.
std::string_view SchemaInMetadata(std::string_view metadata) noexcept;
/// The metadata text of a function: the escaped schemas of its result and its parameters are added
/// between begin and end; without any, it takes whatever it gets.
std::string BeginMethodMetadata();
void AddToMethodMetadata(std::string_view schema, std::string& text);
void AddKeyToMethodMetadata(std::string_view type_key, std::string& text);
void EndMethodMetadata(std::string& text);

/// The type index that the ABI's field record states.
int32_t StaticIndexOf(const TainFieldDef& def) noexcept;

}  // namespace tain::internal
