// SPDX-License-Identifier: Apache-2.0
// Module, a set of functions that are loaded and saved together.
//
//   tain::Module mod = tain::Module::LoadFromFile("libadd.so");
//   int sum = mod["add"](1, 2).cast<int>();
// A library that TAIN_EXPORT fills is a module of the kind "library". Other kinds are classes
// derived from ModuleObj, in C++ or in Python (`class Mine(tain.Module)`), which override the
// methods that they have.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "tain/container/array.h"
#include "tain/container/optional.h"
#include "tain/function.h"
#include "tain/object_ref_macros.h"
#include "tain/string.h"
#include "tain/virtual.h"

namespace tain {

class Module;
namespace internal {
struct ModuleEdges;  // the collector reads the imports
}

/// The object behind Module, and the base class of all kinds of modules.
class TAIN_DLL ModuleObj : public Object {
 public:
  /// The bits of the property mask.
  enum Property : int64_t {
    kBinarySerializable = 1,     ///< save_to_bytes works
    kRunnable = 2,               ///< get_function works
    kCompilationExportable = 4,  ///< write_to_file writes something that a compiler takes
  };

  ModuleObj() = default;
  ModuleObj(const ModuleObj&) = delete;
  ModuleObj& operator=(const ModuleObj&) = delete;
  virtual ~ModuleObj();

  /// The kind of the module, by default its type key. The loader of saved modules is registered
  /// under it.
  TAIN_VIRTUAL(kind)
  virtual String kind_impl() const;
  /// Returns a function of this module itself, or null if there is none.
  TAIN_VIRTUAL(get_function)
  virtual Function get_function_impl(const String& name);
  /// Whether get_function finds a function.
  TAIN_VIRTUAL(implements_function)
  virtual bool implements_function_impl(const String& name);
  /// Returns the names of the functions, as far as the kind knows them.
  TAIN_VIRTUAL(get_function_list)
  virtual Array<String> get_function_list_impl() const;
  /// Returns the sum of the Property bits that hold: by default kRunnable, and kBinarySerializable
  /// if a loader `ffi.Module.load_from_bytes.<kind>` is registered.
  TAIN_VIRTUAL(get_property_mask)
  virtual int64_t get_property_mask_impl() const;
  /// Writes the module to a file; an empty format is the usual one of the kind.
  TAIN_VIRTUAL(write_to_file)
  virtual void write_to_file_impl(const String& file, const String& format) const;
  /// Returns what the loader `ffi.Module.load_from_bytes.<kind>` takes.
  TAIN_VIRTUAL(save_to_bytes)
  virtual Bytes save_to_bytes_impl() const;
  /// Returns the source text from which the module was made, empty if there is none.
  TAIN_VIRTUAL(get_source)
  virtual String get_source_impl(const String& format) const;
  /// Returns the formats that write_to_file knows.
  TAIN_VIRTUAL(get_write_formats)
  virtual Array<String> get_write_formats_impl() const;
  /// Returns JSON text that describes a function, or null.
  TAIN_VIRTUAL(get_function_metadata)
  virtual Optional<String> get_function_metadata_impl(const String& name);
  /// Returns the documentation of a function, or null.
  TAIN_VIRTUAL(get_function_doc)
  virtual Optional<String> get_function_doc_impl(const String& name);

  /// The modules in which functions are looked up if this one does not have them.
  Array<Ref<ModuleObj>> imports() const;
  /// Adds an import. Throws ValueError if the module would import itself, directly or not.
  void import_module(const Module& other);
  void clear_imports();
  /// Returns how many modules import this one; one that does so twice counts twice.
  int32_t num_importers() const noexcept { return num_importers_.load(); }
  /// Returns a function of this module or of its imports, those of imports later; null if none has
  /// it.
  Function find_function(const String& name);

  // TAIN_OBJECT with the index that the binary contract fixes
  static constexpr const char* _type_key = "ffi.Module";
  using _type_only_of_tain = ModuleObj;  // the contract does not fix the virtual table
  TAIN_INTERNAL_TYPE_INDEX(ModuleObj, Object, kTainModule)
  TAIN_INTERNAL_CLASS_FACTS(ModuleObj, Object);

 private:
  friend struct ModuleRegistration;
  friend struct internal::ModuleEdges;
  void DropImports() noexcept;

  Array<Ref<ModuleObj>> imports_;
  std::atomic<int32_t> num_importers_{0};
};

/// A handle to a module; may be null.
class Module : public ObjectRef {
 public:
  TAIN_DEFINE_MUTABLE_OBJECT_REF_METHODS_NULLABLE(Module, ObjectRef, ModuleObj);
  Module(const Ref<ModuleObj>& module)  // NOLINT: the same object
      : ObjectRef(static_cast<const ObjectRef&>(module)) {}

  /// Loads a module. The loader is that of the format, by default that of the file's extension.
  /// Throws the errors of the loader; ValueError if there is none for the format.
  TAIN_DLL static Module LoadFromFile(std::string_view file, std::string_view format = "");
  /// Makes a module of a kind from what save_to_bytes returned. Throws ValueError if no loader of
  /// the kind is registered.
  TAIN_DLL static Module LoadFromBytes(std::string_view kind, const Bytes& bytes);
  /// Returns the module of the symbols that TainEnvModRegisterSystemLibSymbol registered with a
  /// prefix. There is one module of each prefix.
  TAIN_DLL static Module SystemLib(std::string_view prefix = "");

  /// Returns the function of a name. Throws AttributeError if neither the module nor its imports
  /// have it.
  TAIN_DLL const Function operator[](std::string_view name) const;
};

}  // namespace tain
