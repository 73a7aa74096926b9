// SPDX-License-Identifier: Apache-2.0
// MemberWriter: checks and stores what a type consists of, one member at a time.
#pragma once

#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "registry.h"

namespace tain::internal {

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
  void SetMetadata(const TainTypeMetadata& metadata);
  void AddField(const TainFieldDef& def, Any default_value);
  void AddMethod(const TainMethodDef& def);
  void AddProperty(const TainPropertyDef& def);
  void AddConstant(const TainConstantDef& def, Any value);
  void SetConstructor(TainObject* function, decltype(TainTypeDef::construct) construct);

 private:
  /// Writes the members as they are to the journal, once.
  void Save();
  void CheckFree(std::string_view name) const;
  std::string Where(std::string_view member) const;
  TainByteArray SchemaOfField(std::string_view type);
  TainByteArray SchemaOfMethod(const TainFunctionInfo* call);

  Registry& registry_;
  std::unique_lock<std::shared_mutex> lock_;
  TypeEntry* entry_ = nullptr;
  Unit* unit_;
  bool ignored_ = false;
};

/// Throws unless a field's flags, kind, place and accessors fit each other and its type.
void CheckField(const TypeEntry& entry, const TainFieldDef& def, const std::string& where);
/// Throws unless `value` can be the field's default.
void CheckFieldDefault(const Registry& registry, const TainFieldDef& def, const TainAny& value,
                       const std::string& where);
/// A Function object that is not null, or TypeError `where: expected what, got ...`.
TainObject* CheckFunction(TainObject* object, std::string_view where, const char* what);
/// The user's word for the type of a value.
std::string NameOfValueType(const Registry& registry, const TainAny& value);

/// The ABI's metadata text for a type expression: `{"type_schema":"{\"type\":\"int\"}"}`.
std::string FieldMetadata(std::string_view type);
/// The same for a function; `receiver` is the class of the first parameter, or empty.
std::string MethodMetadata(const TainFunctionInfo& info, std::string_view receiver);
/// The JSON schema of a type expression; `Any` for what cannot be read.
void AppendTypeSchema(std::string_view type, std::string& out);

}  // namespace tain::internal
