// SPDX-License-Identifier: Apache-2.0
// The C functions that describe types; each makes one call of MemberWriter.
#include "base/guard.h"
#include "registry/foreign_type.h"
#include "registry/member_writer.h"
#include "registry/overloads.h"
#include "registry/unit.h"

namespace tain::internal {
namespace {

/// Returns an owned copy of a value that will be registered.
Any OwnedCopy(const TainAny& value, const char* where) {
  if (value.type_index == kTainRValueRef) {
    TAIN_THROW(TypeError) << where << ": a value cannot be a reference to an argument";
  }
  if (value.type_index >= kTainStaticObjectBegin && value.v_obj == nullptr) {
    TAIN_THROW(TypeError) << where << ": expected an object, got null";
  }
  return Any(AnyView(value));
}

/// Runs `add(writer)` with the type's writer, unless the registration of the type failed before.
template <class F>
void WriteToType(int32_t type_index, Unit* unit, F&& add) {
  MemberWriter writer(Registry::Default(), type_index, unit);
  if (!writer.ignored()) add(writer);
}

/// Converts the ABI's description of a field. Its kind and class are unknown, so only its accessors
/// may be used.
TainFieldDef FromAbi(const TainFieldInfo& info) {
  TainFieldDef def{};
  def.info = info;
  def.kind = kTainFieldOpaque;
  def.object_type_index = -1;
  return def;
}

void DefineField(int32_t type_index, const TainFieldDef& def, Unit* unit) {
  Any default_value;  // made before the lock is taken
  if ((def.info.flags & kTainFieldHasDefault) != 0) {
    default_value = OwnedCopy(def.info.default_value_or_factory, "a field's default");
  }
  WriteToType(type_index, unit,
              [&](MemberWriter& writer) { writer.AddField(def, std::move(default_value)); });
}

/// Adds a description that a C function got to a type, with a function of its writer.
template <auto kAdd, class T>
int AddToType(int32_t type_index, const T* given, const char* where, const char* what) noexcept {
  return GuardRegistration([&](Unit* unit) {
    const T& description = NotNull(given, where, what);
    WriteToType(type_index, unit, [&](MemberWriter& writer) { (writer.*kAdd)(description); });
  });
}

}  // namespace

int ReplaceMethod(int32_t type_index, const TainMethodDef& def) noexcept {
  return GuardRegistration([&](Unit* unit) {
    WriteToType(type_index, unit, [&](MemberWriter& writer) { writer.ReplaceMethod(def); });
  });
}

int ReplaceConstructor(int32_t type_index, const Function& function,
                       InPlaceConstructor construct) noexcept {
  return GuardRegistration([&](Unit* unit) {
    WriteToType(type_index, unit, [&](MemberWriter& writer) {
      writer.ReplaceConstructor(RefAccess::Header(function), construct);
    });
  });
}

}  // namespace tain::internal

using namespace tain::internal;
using tain::Any;
using tain::AnyView;

extern "C" int TainTypeRegisterField(int32_t type_index, const TainFieldInfo* info) noexcept {
  return GuardRegistration([&](Unit* unit) {
    DefineField(type_index, FromAbi(NotNull(info, "TainTypeRegisterField", "a field")), unit);
  });
}

extern "C" int TainTypeRegisterMethod(int32_t type_index, const TainMethodInfo* info) noexcept {
  return GuardRegistration([&](Unit* unit) {
    TainMethodDef def{};
    def.info = NotNull(info, "TainTypeRegisterMethod", "a method");
    if (def.info.method.type_index == kTainFunction && def.info.method.v_obj != nullptr) {
      const bool is_static = (def.info.flags & kTainMethodStatic) != 0;
      DescribeForeign(def.info.method.v_obj,
                      TextOf(def.info.name, "TainTypeRegisterMethod", "a name"),
                      TextOf(def.info.doc, "TainTypeRegisterMethod", "documentation"),
                      def.info.metadata, is_static ? 0 : kTainCallMethod);
    }
    WriteToType(type_index, unit, [&](MemberWriter& writer) { writer.AddOrReplaceMethod(def); });
  });
}

extern "C" int TainTypeRegisterMetadata(int32_t type_index,
                                        const TainTypeMetadata* metadata) noexcept {
  return AddToType<&MemberWriter::SetMetadata>(type_index, metadata, "TainTypeRegisterMetadata",
                                               "metadata");
}

extern "C" int TainTypeDefine(int32_t type_index, const TainTypeDef* def) noexcept {
  return AddToType<&MemberWriter::Define>(type_index, def, "TainTypeDefine", "a description");
}

extern "C" int TainTypeDefState(int32_t type_index, const TainTypeState* state) noexcept {
  return AddToType<&MemberWriter::SetState>(type_index, state, "TainTypeDefState", "a description");
}

extern "C" int TainTypeDefField(int32_t type_index, const TainFieldDef* def) noexcept {
  return GuardRegistration([&](Unit* unit) {
    DefineField(type_index, NotNull(def, "TainTypeDefField", "a field"), unit);
  });
}

extern "C" int TainTypeDefMethod(int32_t type_index, const TainMethodDef* def) noexcept {
  return AddToType<&MemberWriter::AddMethod>(type_index, def, "TainTypeDefMethod", "a method");
}

extern "C" int TainTypeDefProperty(int32_t type_index, const TainPropertyDef* def) noexcept {
  return AddToType<&MemberWriter::AddProperty>(type_index, def, "TainTypeDefProperty",
                                               "a property");
}

extern "C" int TainTypeDefConstant(int32_t type_index, const TainConstantDef* def) noexcept {
  return GuardRegistration([&](Unit* unit) {
    const auto& given = NotNull(def, "TainTypeDefConstant", "a constant");
    Any value = OwnedCopy(given.value, "a constant");
    WriteToType(type_index, unit,
                [&](MemberWriter& writer) { writer.AddConstant(given, std::move(value)); });
  });
}

extern "C" int TainTypeDefConstructor(int32_t type_index, TainObject* function,
                                      int (*construct)(void* body, const TainFunctionInfo* info,
                                                       const TainAny* args,
                                                       int32_t num_args)) noexcept {
  return GuardRegistration([&](Unit* unit) {
    WriteToType(type_index, unit,
                [&](MemberWriter& writer) { writer.SetConstructor(function, construct); });
  });
}
