// SPDX-License-Identifier: Apache-2.0
// Registration by libtain: the functions that the templates ObjectDef, GlobalDef and EnumDef call.
#pragma once

#include <string_view>

#include "tain/internal/member_specs.h"
#include "tain/internal/skipped_functions.h"
#include "tain/internal/virtual_names.h"

namespace tain::internal {

/// Sets names, types and defaults of a function and makes it global. A mistake becomes a fault of
/// the unit. Functions with the same name and the same definition number, which is not 0, are
/// overloads.
TAIN_DLL void DefineGlobal(const TainUnit* unit, const char* name, const Function& function,
                           const CallShape* shape, const CallSpec* spec,
                           uint64_t definition) noexcept;
/// With the name of a constant, the name of the global function that returns its value.
inline constexpr std::string_view kConstantPrefix = "ffi.Constant.";

/// Registers a constant of a namespace; `getter` returns its value. A mistake becomes a fault of the
/// unit.
TAIN_DLL void DefineConstant(const TainUnit* unit, std::string_view name, const Function& getter,
                             const CallShape* shape, const CallSpec* spec) noexcept;
/// Returns a new definition number.
TAIN_DLL uint64_t NewDefinition() noexcept;

/// Registers an enum and returns its record. After a mistake it records a fault of the unit and
/// returns null.
TAIN_DLL const TainEnumInfo* DefineEnum(const TainUnit* unit, const TainEnumInfo& info) noexcept;
/// Returns the enum that another library has registered. `integers` are those of the C++ type, as in
/// TainEnumInfo::kind. If there is no such enum it records a fault of the unit and returns null.
TAIN_DLL const TainEnumInfo* DeclareEnum(const TainUnit* unit, const char* key, int32_t integers,
                                         std::string_view name) noexcept;

/// The part of ObjectDef that needs no template: collects members and registers them in the type
/// table.
class TAIN_DLL TypeBuilder : NotCopied {
 public:
  /// Adds fields of a class whose header stands `header_offset` bytes after its start.
  void AddFields(const FieldRow* rows, size_t count, int64_t header_offset) noexcept;
  /// Adds methods.
  void AddMethods(const MethodRow* rows, size_t count) noexcept;
  /// Stores what was left out where type_info finds it; if `is_strict`, the load warns of it.
  void AddSkipped(std::span<const Skipped> skipped, bool is_strict) noexcept;

 protected:
  TypeBuilder(const TainUnit* unit, int32_t type_index, const char* key) noexcept;
  ~TypeBuilder();  // ends the description and makes the field constructor

  /// Opens the description of the type.
  void Open(const TainTypeDef& code, int64_t header_offset, const TypeSpec& spec) noexcept;
  /// Says where the objects have state; `flags` are TainTypeFlag.
  void SetState(const TainTypeState& state) noexcept;
  /// Adds a field `offset` bytes after the header; a null spec means no options.
  void AddField(const char* name, const FieldShape& shape, int64_t offset, int64_t flags,
                const FieldSpec* spec, const FieldConditions* conditions = nullptr) noexcept;
  /// Adds a method whose callable is copied as bytes; a null spec means no options.
  void AddPlainMethod(const char* name, const PlainCallable& callable, const void* bytes,
                      bool is_static, int32_t flags, const CallSpec* spec) noexcept;
  void AddMethod(const char* name, Function function, const CallShape* shape, bool is_static,
                 int32_t flags, const CallSpec* spec) noexcept;
  /// Adds a property; `flags` are those that its options do not contain.
  void AddProperty(const char* name, const Function& getter, const Function& setter,
                   std::string (*type)(), const PropertySpec& spec, int32_t flags) noexcept;
  void AddConstant(const char* name, const Any& value, const char* doc) noexcept;
  void AddTypeAttr(const char* name, const Any& value) noexcept;
  /// Adds a constructor that builds in place.
  void AddInit(InPlaceConstructor construct, const CallShape& shape, const CallSpec* spec) noexcept;
  /// Requests the constructor from fields, which is made when the description ends.
  void AddFieldInit() noexcept { field_init_ = true; }
  /// Records a mistake if the name is `__create__`, because it must return an object; returns false
  /// for other names.
  bool MakesNothing(const char* name, const CallShape& shape) noexcept;
  /// Stores which methods the class declares with TAIN_VIRTUAL (`names`, each followed by a NUL)
  /// and which methods of all classes the library calls.
  void DeclareVirtuals(std::string_view names, const CalledVirtuals& called) noexcept;
  /// Records a mistake: def_virtual has a name that no TAIN_VIRTUAL declares.
  void NotVirtual(const char* name) noexcept;
  /// Records a mistake.
  void Fault(const std::string& message) noexcept;

 private:
  /// Runs a part of the description, and returns whether it is no fault.
  template <class F>
  bool Describe(F&& part) noexcept;

  const TainUnit* unit_;
  int32_t type_index_;
  const char* key_;
  bool field_init_ = false;
  bool open_ = false;
};

}  // namespace tain::internal
