// SPDX-License-Identifier: Apache-2.0
// The loaders of libraries, and of code that is linked into the program.
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/file_path.h"
#include "base/fork.h"
#include "base/guard.h"
#include "base/open_file.h"
#include "base/shared_file.h"
#include "base/shared_symbols.h"
#include "libraries/file_identity.h"
#include "libraries/library_load.h"
#include "modules/context_symbols.h"
#include "modules/library_module.h"
#include "modules/module_tree.h"
#include "registry/type_table.h"
#include "tain/reflection/global_def.h"

namespace tain::internal {
namespace {

constexpr std::string_view kFunctionPrefix = "__tvm_ffi_";

/// Whether a symbol is that of a module's function, and none of those that describe the module.
bool IsFunctionName(std::string_view symbol) {
  if (!symbol.starts_with(kFunctionPrefix)) return false;
  const std::string_view name = symbol.substr(kFunctionPrefix.size());
  for (const char* other : {"_library_ctx", "_library_bin"}) {
    if (name == other) return false;
  }
  return !name.empty() && name != "_source" && !name.starts_with("_metadata_") &&
         !name.starts_with("_doc_");
}

/// The symbols of a library that is loaded.
class LibrarySymbols final : public SymbolSource {
 public:
  explicit LibrarySymbols(LoadedLibrary library) : library_(std::move(library)) {
    for (SharedSymbol& symbol : SymbolsOf(library_.handle)) {
      const std::string name = symbol.name;
      symbols_.insert_or_assign(name, std::move(symbol));
    }
  }

  void* Find(const std::string& symbol) const override {
    // The loader would also search the libraries that this one needs.
    if (!symbols_.empty() && !symbols_.contains(symbol)) return nullptr;
    return FindSymbol(library_.handle, symbol.c_str());
  }
  std::vector<std::string> FunctionNames() const override {
    std::vector<std::string> names;
    for (const auto& [name, symbol] : symbols_) {
      // No text names a function whose symbol is not UTF-8.
      if (!symbol.is_function || !IsFunctionName(name) || !IsTextWithoutNul(name)) continue;
      names.push_back(name.substr(kFunctionPrefix.size()));
    }
    return names;
  }
  SymbolFacts Facts(const std::string& symbol) const override {
    const auto known = symbols_.find(symbol);
    if (known == symbols_.end()) return {true};
    return {known->second.is_function, known->second.is_writable, known->second.size};
  }
  std::string File() const override { return library_.opened; }
  std::string Content() const override {
    // The file may be another one meanwhile, or none that has an end.
    std::string content;
    try {
      content = ReadRegularFile(library_.opened);
    } catch (const std::filesystem::filesystem_error&) {
      TAIN_THROW(OSError) << "cannot save the module: its file " << library_.opened
                          << " cannot be read";
    }
    if (HashContent(content) != library_.hash) {
      TAIN_THROW(OSError) << "cannot save the module: its file " << library_.opened
                          << " has changed since it was loaded. Load it again, and save that";
    }
    return content;
  }
  std::string ReasonToStay() const override {
    return library_.registered ? "it registered types or functions" : "";
  }

 private:
  LoadedLibrary library_;
  std::map<std::string, SharedSymbol> symbols_;  ///< that the library defines
};

/// The symbols that the program registered, as far as their names have a prefix.
class ProgramSymbols final : public SymbolSource {
 public:
  explicit ProgramSymbols(std::string prefix) : prefix_(std::move(prefix)) {}

  void* Find(const std::string& symbol) const override;
  std::vector<std::string> FunctionNames() const override;
  SymbolFacts Facts(const std::string& symbol) const override { return {IsFunctionName(symbol)}; }
  std::string File() const override { return ""; }
  std::string Content() const override {
    TAIN_THROW(NotImplementedError) << "the code that is linked into the program cannot be saved";
  }
  std::string ReasonToStay() const override { return "it is a part of the program"; }

 private:
  std::string prefix_;
};

/// A file with the content of a library that was saved, and its module.
struct SavedLibrary {
  std::string file;
  Weak<ModuleObj> module;
};

/// The modules that exist. HoldLoads() guards them.
struct Modules {
  std::map<std::string, Weak<ModuleObj>> libraries;  ///< by the path that the loader got
  std::map<std::string, Module> system;              ///< by prefix
  /// The libraries of saved modules, by the path of FileForLoading.
  std::map<std::string, std::vector<SavedLibrary>> saved;
};
Modules& AllModules() { return NeverDestroyed<Modules>(); }

/// The registered symbols of the program.
struct ProgramTable : AddressTable {};
AddressTable& RegisteredSymbols() { return NeverDestroyed<ProgramTable>(); }

void* ProgramSymbols::Find(const std::string& symbol) const {
  const std::lock_guard lock(RegisteredSymbols().mutex);
  const auto& symbols = RegisteredSymbols().addresses;
  const bool is_function = IsFunctionName(symbol);
  const std::string with_prefix =
      is_function ? std::string(kFunctionPrefix) + prefix_ + symbol.substr(kFunctionPrefix.size())
                  : prefix_ + symbol;
  if (const auto it = symbols.find(with_prefix); it != symbols.end()) return it->second;
  const auto it = symbols.find(symbol);
  return it == symbols.end() ? nullptr : it->second;
}

std::vector<std::string> ProgramSymbols::FunctionNames() const {
  std::vector<std::string> names;
  const std::string begin = std::string(kFunctionPrefix) + prefix_;
  const std::lock_guard lock(RegisteredSymbols().mutex);
  for (const auto& [symbol, address] : RegisteredSymbols().addresses) {
    if (symbol.starts_with(begin) && symbol.size() > begin.size()) {
      names.push_back(symbol.substr(begin.size()));
    }
  }
  return names;
}

/// The module of a library's file: one for each content.
Module LoadLibraryModule(const String& file, const String&) {
  Modules& state = AllModules();
  const auto lock = HoldLoads();
  const LoadedLibrary library = LoadLibraryFile(FilePath(std::string_view(file), "load_module"));
  Weak<ModuleObj>& known = state.libraries[library.opened];
  if (ObjectPtr<ModuleObj> alive = known.lock()) {
    const auto* module = static_cast<const Object*>(alive.get());
    const bool closed = module->IsInstance<LibraryModuleObj>() &&
                        static_cast<const LibraryModuleObj*>(module)->closed();
    if (!closed) return Module(std::move(alive));
  }
  Module made = MakeModuleTree(std::make_unique<LibrarySymbols>(library));
  state.libraries[library.opened] = RefAccess::Share<ModuleObj>(RefAccess::Header(made));
  return made;
}

/// The module of a library's content, which was saved.
Module LoadLibraryBytes(const tain::Bytes& bytes) {
  return LoadLibraryModule(String(FileForLoading(std::string_view(bytes))), "so");
}

}  // namespace

Module LibraryForTree(const tain::Bytes& bytes, const std::function<bool(ModuleObj&)>& fits) {
  const std::string_view content(bytes);
  const auto lock = HoldLoads();
  const std::string key = FileForLoading(content);
  std::string file;
  // `fits` may run code that loads, so that nothing in the table stays in its place.
  for (size_t i = 0; i < AllModules().saved[key].size(); ++i) {
    const SavedLibrary known = AllModules().saved[key][i];
    if (ObjectPtr<ModuleObj> alive = known.module.lock()) {
      auto& module = static_cast<LibraryModuleObj&>(*alive);
      if (!module.closed() && fits(module)) return Module(std::move(alive));
    } else if (file.empty()) {
      file = known.file;  // its code serves again
    }
  }
  const bool is_new = file.empty();
  if (is_new) file = NewFileForLoading(content);
  const LoadedLibrary library = LoadLibraryFile(file);
  Module made = MakeLibraryModule(std::make_unique<LibrarySymbols>(library));
  const Weak<ModuleObj> weak = RefAccess::Share<ModuleObj>(RefAccess::Header(made));
  std::vector<SavedLibrary>& all = AllModules().saved[key];
  if (is_new) {
    all.push_back({file, weak});
  } else {
    for (SavedLibrary& known : all) {
      if (known.file == file) known.module = weak;
    }
  }
  return made;
}

constinit const ForkSteps program_symbols_fork = StepsFor<&RegisteredSymbols>();
// Modules are found under the lock of the loads, whose steps these follow in the child.
constinit const ForkSteps modules_fork = {
    [] {}, [] {},
    [] {
      if (ForkHasLoadLock()) return;
      Modules& state = AllModules();  // another thread may have been changing them
      ::new (&state.libraries) std::map<std::string, Weak<ModuleObj>>;
      ::new (&state.system) std::map<std::string, Module>;
      ::new (&state.saved) decltype(state.saved);
    }};

}  // namespace tain::internal

using namespace tain::internal;

namespace tain {

Module Module::SystemLib(std::string_view prefix) {
  Modules& state = AllModules();
  const auto lock = HoldLoads();
  const std::string name(prefix);
  Module& known = state.system[name];
  if (!known.defined()) known = MakeModuleTree(std::make_unique<ProgramSymbols>(name));
  return known;
}

}  // namespace tain

extern "C" int TainEnvModRegisterSystemLibSymbol(const char* name, void* symbol) noexcept {
  return Guard([&] {
    RegisteredSymbols().Add("TainEnvModRegisterSystemLibSymbol", "the symbol ", name, symbol);
  });
}

TAIN_REGISTER {
  using tain::arg;
  for (const char* format : {"so", "dylib", "dll"}) {
    tain::reflection::GlobalDef().def((std::string("ffi.Module.load_from_file.") + format).c_str(),
                                      &LoadLibraryModule, arg("file"), arg("fmt"),
                                      "Loads a library.", tain::release_gil());
  }
  tain::reflection::GlobalDef().def("ffi.Module.load_from_bytes.library", &LoadLibraryBytes,
                                    arg("bytes"), "Loads a library from the content of its file.",
                                    tain::release_gil());
}
