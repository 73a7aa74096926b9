// SPDX-License-Identifier: Apache-2.0
// Modules of other libraries, as tain's C++ sees them.
#pragma once

#include "tain/module.h"

namespace tain::internal {

/// Stands for a module of another library wherever C++ asks for a Module: a new one for each such
/// place, since values hold the other library's object itself. Its methods go to the operations that
/// TainSetModuleOperations has set.
class ForeignModuleObj final : public ModuleObj {
 public:
  explicit ForeignModuleObj(ObjectPtr<Object> module) : module_(std::move(module)) {}

  String kind_impl() const override;
  Function get_function_impl(const String& name) override;
  bool implements_function_impl(const String& name) override;
  int64_t get_property_mask_impl() const override;
  void write_to_file_impl(const String& file, const String& format) const override;
  tain::Bytes save_to_bytes_impl() const override;
  String get_source_impl(const String& format) const override;
  Array<String> get_write_formats_impl() const override;
  Optional<String> get_function_metadata_impl(const String& name) override;
  Optional<String> get_function_doc_impl(const String& name) override;

  Array<Ref<ModuleObj>> Imports() const;
  void Import(const Module& other);
  void ClearImports();
  /// The other library's object.
  TainObject* module() const noexcept { return RefAccess::Header(module_); }

  TAIN_OBJECT("ffi.ForeignModule", ForeignModuleObj, ModuleObj);

 private:
  template <class... A>
  Any Ask(TainModuleOperation what, const A&... args) const;

  ObjectRef module_;
};

/// Returns what stands for a module of another library; null for a module of tain's.
ForeignModuleObj* AsForeign(ModuleObj* module) noexcept;
inline const ForeignModuleObj* AsForeign(const ModuleObj* module) noexcept {
  return AsForeign(const_cast<ModuleObj*>(module));
}
/// Returns what tells two modules apart, whatever stands for them.
inline const void* IdentityOf(const ModuleObj* module) noexcept {
  const ForeignModuleObj* foreign = AsForeign(module);
  return foreign == nullptr ? static_cast<const void*>(ObjectAccess::Header(module))
                            : foreign->module();
}
/// Looks up a function for the code of a module of another library, which owns it.
TainObject* LookUpInForeign(TainObject* module, const char* name);

}  // namespace tain::internal
