// SPDX-License-Identifier: Apache-2.0
// The module of a library: its functions are the symbols __tvm_ffi_<name>.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tain/module.h"

namespace tain::internal {

/// What is known of a symbol.
struct SymbolFacts {
  bool is_function;         ///< and not data, as far as that is known
  bool is_writable = true;  ///< as far as that is known
  uint64_t size = 0;        ///< in bytes; 0 if it is not known
};

/// The symbols of a library, or of a program that registered them.
class SymbolSource {
 public:
  virtual ~SymbolSource() = default;
  /// Returns the address of a symbol, or null.
  virtual void* Find(const std::string& symbol) const = 0;
  /// Returns the names of the functions __tvm_ffi_<name>, in order.
  virtual std::vector<std::string> FunctionNames() const = 0;
  /// Returns what is known of a symbol.
  virtual SymbolFacts Facts(const std::string& symbol) const = 0;
  /// Returns the file for messages; empty for a program.
  virtual std::string File() const = 0;
  /// Returns the content of the file that was loaded. Throws NotImplementedError for a program, and
  /// OSError if the file has changed since.
  virtual std::string Content() const = 0;
  /// Returns why the module cannot be closed; empty if it can.
  virtual std::string ReasonToStay() const = 0;
};

/// A module that looks up its functions among symbols.
class LibraryModuleObj : public ModuleObj {
 public:
  explicit LibraryModuleObj(std::unique_ptr<SymbolSource> symbols);
  ~LibraryModuleObj() override;

  String kind_impl() const override { return "library"; }
  Function get_function_impl(const String& name) override;
  bool implements_function_impl(const String& name) override;
  Array<String> get_function_list_impl() const override;
  int64_t get_property_mask_impl() const override { return kBinarySerializable | kRunnable; }
  void write_to_file_impl(const String& file, const String& format) const override;
  tain::Bytes save_to_bytes_impl() const override;
  Array<String> get_write_formats_impl() const override { return {"so"}; }
  /// What the function `__tvm_ffi__source` of the library returns; empty without one.
  String get_source_impl(const String& format) const override;
  Optional<String> get_function_metadata_impl(const String& name) override;
  Optional<String> get_function_doc_impl(const String& name) override;

  /// Makes the module and its functions refuse their use. Throws RuntimeError, and changes nothing,
  /// if the library registered something.
  void Close();
  bool closed() const noexcept { return closed_.load(); }
  std::string File() const;
  /// Returns the keys or names of what the library registered, of one TainRegisteredKind, sorted.
  Array<String> Registered(int32_t kind) const;
  /// Returns the text for Python's repr: the file, and what the library registered.
  std::string Text() const;
  /// Looks up a function for the library's code; the module owns it.
  const Function& LookUpForCode(const std::string& name);
  /// The symbols; throws ValueError if the module is closed.
  const SymbolSource& symbols() const;

  TAIN_OBJECT("ffi.LibraryModule", LibraryModuleObj, ModuleObj);

 private:
  /// Compiled code must not reach a module that is gone or closed.
  void ClearContextSlot() noexcept;
  Function Make(const std::string& name);
  /// Gives a function of a C symbol what the library says of it.
  void Describe(const std::string& name, TainObject* function);
  Optional<String> CallText(const std::string& symbol) const;

  std::unique_ptr<SymbolSource> symbols_;
  std::atomic<bool> closed_{false};
  mutable std::mutex mutex_;  ///< guards `made_`, `described_`, `found_`, the change of `closed_`
  std::map<std::string, Weak<FunctionObj>, std::less<>> made_;
  std::map<std::string, const TainFunctionInfo*> described_;  ///< null: nothing is said
  /// The functions that compiled code has looked up. It may use these as long as it runs.
  std::map<std::string, Function, std::less<>> found_;
};

/// Makes the module of symbols: fills the context slots.
Module MakeLibraryModule(std::unique_ptr<SymbolSource> symbols);
/// The same, and reads the modules that the library contains. Returns the root of the imports.
Module MakeModuleTree(std::unique_ptr<SymbolSource> symbols);

}  // namespace tain::internal
