// SPDX-License-Identifier: Apache-2.0
// Module and ModuleObj with the members that sources for tvm::ffi call and override.
//
//   ffi::Module mod = ffi::Module::LoadFromFile("libadd.so");
//   ffi::Function add = mod->GetFunction("add").value();
// A class derived from ModuleObj here is a kind of modules of tain too. A Module converts to
// tain::Module and back without cost.
#pragma once

#include <utility>

#include "tain/container/map.h"
#include "tain/module.h"

namespace tain::interop::ffi {

class Module;

/// The base class of kinds of modules with the virtual functions of tvm::ffi.
class ModuleObj : public ::tain::ModuleObj {
 public:
  virtual const char* kind() const = 0;
  virtual Optional<Function> GetFunction(const String& name) = 0;
  virtual int GetPropertyMask() const { return 0; }
  virtual bool ImplementsFunction(const String& name) { return GetFunction(name).has_value(); }
  virtual Optional<String> GetFunctionDoc(const String&) { return std::nullopt; }
  virtual Optional<String> GetFunctionMetadata(const String&) { return std::nullopt; }
  virtual void WriteToFile(const String&, const String&) const {
    TAIN_THROW(RuntimeError) << "Module[" << kind() << "] does not support WriteToFile";
  }
  virtual Array<String> GetWriteFormats() const { return {}; }
  virtual Bytes SaveToBytes() const {
    TAIN_THROW(RuntimeError) << "Module[" << kind() << "] does not support SaveToBytes";
  }
  virtual String InspectSource(const String&) const { return {}; }

  String kind_impl() const override { return kind(); }
  Function get_function_impl(const String& name) override {
    return GetFunction(name).value_or(nullptr);
  }
  bool implements_function_impl(const String& name) override { return ImplementsFunction(name); }
  int64_t get_property_mask_impl() const override { return GetPropertyMask(); }
  void write_to_file_impl(const String& file, const String& format) const override {
    WriteToFile(file, format);
  }
  Bytes save_to_bytes_impl() const override { return SaveToBytes(); }
  String get_source_impl(const String& format) const override { return InspectSource(format); }
  Array<String> get_write_formats_impl() const override { return GetWriteFormats(); }
  Optional<String> get_function_metadata_impl(const String& name) override {
    return GetFunctionMetadata(name);
  }
  Optional<String> get_function_doc_impl(const String& name) override {
    return GetFunctionDoc(name);
  }
};

/// The members of any module, which Module's operator-> gives.
class ModuleAccess {
 public:
  explicit ModuleAccess(::tain::ModuleObj* module) noexcept : module_(module) {}
  ModuleAccess* operator->() noexcept { return this; }

  String kind() const { return module_->kind(); }
  int GetPropertyMask() const { return static_cast<int>(module_->get_property_mask()); }
  /// Returns a function of the module, also of its imports if `query_imports` is set; nothing if
  /// there is none.
  Optional<Function> GetFunction(const String& name, bool query_imports = false) const {
    const Function found =
        query_imports ? module_->find_function(name) : Function(module_->get_function(name));
    return found.defined() ? Optional<Function>(found) : std::nullopt;
  }
  bool ImplementsFunction(const String& name, bool query_imports = false) const {
    return AnyOf(query_imports,
                 [&](::tain::ModuleObj* at) { return at->implements_function(name); });
  }
  Optional<String> GetFunctionDoc(const String& name, bool query_imports = false) const {
    return First(query_imports, [&](::tain::ModuleObj* at) { return at->get_function_doc(name); });
  }
  Optional<String> GetFunctionMetadata(const String& name, bool query_imports = false) const {
    return First(query_imports,
                 [&](::tain::ModuleObj* at) { return at->get_function_metadata(name); });
  }
  void WriteToFile(const String& file, const String& format) const {
    module_->write_to_file(file, format);
  }
  Array<String> GetWriteFormats() const { return module_->get_write_formats(); }
  Bytes SaveToBytes() const { return module_->save_to_bytes(); }
  String InspectSource(const String& format) const { return module_->get_source(format); }
  void ImportModule(const ::tain::Module& other) const { module_->import_module(other); }
  void ClearImports() const { module_->clear_imports(); }
  Array<Any> imports() const {
    Array<Any> all;
    for (const auto& module : module_->imports()) all.push_back(module);
    return all;
  }

 private:
  template <class Get>
  Optional<String> First(bool query_imports, const Get& get) const {
    Optional<String> found = get(module_);
    if (!query_imports) return found;
    for (const auto& import : module_->imports()) {
      if (found) break;
      found = ModuleAccess(import.get()).First(true, get);
    }
    return found;
  }
  template <class Test>
  bool AnyOf(bool query_imports, const Test& test) const {
    return First(query_imports,
                 [&](::tain::ModuleObj* at) {
                   return test(at) ? Optional<String>(String()) : std::nullopt;
                 })
        .has_value();
  }
  ::tain::ModuleObj* module_;
};

/// A handle to a module.
class Module : public ::tain::Module {
 public:
  enum ModulePropertyMask : int {
    kBinarySerializable = 1,
    kRunnable = 2,
    kCompilationExportable = 4
  };
  using ContainerType = ::tain::ModuleObj;
  static constexpr bool _type_is_nullable = true;

  Module() = default;
  explicit Module(UnsafeInit tag) : ::tain::Module(tag) {}
  Module(::tain::Module module) : ::tain::Module(std::move(module)) {}  // NOLINT: the same object
  Module(ObjectPtr<::tain::ModuleObj> module)                           // NOLINT: the same object
      : ::tain::Module(std::move(module)) {}

  /// Loads a module; see tain::Module.
  static Module LoadFromFile(const String& file_name) {
    return ::tain::Module::LoadFromFile(file_name);
  }
  /// Returns the function of a name, of the module or of its imports; nothing if there is none.
  Optional<Function> GetFunction(const String& name, bool query_imports = true) const {
    return (*this)->GetFunction(name, query_imports);
  }
  ModuleAccess operator->() const {
    return ModuleAccess(internal::Accessed(::tain::Module::get()));
  }
};

}  // namespace tain::interop::ffi
