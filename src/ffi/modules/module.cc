// SPDX-License-Identifier: Apache-2.0
// ModuleObj: what a kind of module does unless it overrides it, imports, and what Python sees.
#include "tain/module.h"

#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/fork.h"
#include "base/text_repr.h"
#include "modules/foreign_module.h"
#include "modules/module_tree.h"
#include "modules/time_evaluator.h"
#include "tain/internal/device_kinds.h"
#include "tain/internal/near_matches.h"
#include "tain/reflection/global_def.h"
#include "tain/reflection/object_def.h"
#include "tain/stl/path.h"

namespace tain {
namespace {

constexpr const char* kEntry = "main";
/// With the kind of a module, the name of the function that makes it from its bytes.
constexpr const char* kBytesLoader = "ffi.Module.load_from_bytes.";

/// Whether `from` is `wanted` or imports it.
bool Reaches(ModuleObj* from, const ModuleObj* wanted) {
  const void* identity = internal::IdentityOf(wanted);
  if (internal::IdentityOf(from) == identity) return true;
  // So building a long chain stays fast; nobody counts the importers of another library's module.
  if (wanted->num_importers() == 0 && internal::AsForeign(wanted) == nullptr) return false;
  internal::ImportWalk walk(from);
  while (const ModuleObj* module = walk.Next()) {
    if (internal::IdentityOf(module) == identity) return true;
  }
  return false;
}

/// The words that name a module in messages.
std::string NameOf(ModuleObj& module) {
  return "module of kind '" + std::string(std::string_view(module.kind())) + "'";
}

[[noreturn]] void ThrowNoFunction(ModuleObj& module, std::string_view name) {
  std::vector<std::string> known;
  for (const String& one : module.get_function_list()) known.emplace_back(std::string_view(one));
  std::string list;
  for (size_t i = 0; i < known.size() && i < 8; ++i) list += (i == 0 ? "" : ", ") + known[i];
  if (known.size() > 8) list += ", ...";
  TAIN_THROW(AttributeError) << NameOf(module) << " has no function '" << internal::ShortName(name)
                             << "'" << (list.empty() ? "" : " (it has " + list + ")") << "."
                             << internal::NearMatches(name, known);
}

Function Required(ModuleObj& module, std::string_view name) {
  Function found = module.find_function(String(name.data(), name.size()));
  if (!found.defined()) ThrowNoFunction(module, name);
  return found;
}

/// Returns the extension of a file without the dot; empty if it has none.
std::string_view ExtensionOf(std::string_view file) {
  const size_t dot = file.rfind('.');
  const size_t slash = file.find_last_of("/\\");
  if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash)) return "";
  return file.substr(dot + 1);
}

/// How to get a loader that is missing: in the words of Python's users if Python is the host.
std::string LoaderAdvice(const std::string& name) {
  if (TainGetHost() != nullptr) {
    return "import the package or load the library that defines them, or register a loader with "
           "tain.register_module_loader";
  }
  return "load the library that defines them, or register a loader as the global function " +
         internal::ShortName(name);
}

Function LoaderOf(const std::string& name, std::string_view what) {
  std::optional<Function> loader = Function::GetGlobal(name);
  if (!loader) {
    TAIN_THROW(ValueError) << "no loader for modules of " << what
                           << " is registered: " << LoaderAdvice(name);
  }
  return *std::move(loader);
}

/// Casts what a loader returned.
Module ModuleFrom(const Any& made, const std::string& loader) {
  if (auto module = made.try_cast<Module>(); module && module->defined()) return *module;
  TAIN_THROW(TypeError) << "the loader " << loader << " returned no module";
}

}  // namespace

// ---------------------------------------------------------------- what kinds override

String ModuleObj::kind_impl() const { return GetTypeKey(); }

Function ModuleObj::get_function_impl(const String&) { return nullptr; }

bool ModuleObj::implements_function_impl(const String& name) {
  return get_function(name).defined();
}

Array<String> ModuleObj::get_function_list_impl() const { return {}; }

int64_t ModuleObj::get_property_mask_impl() const {
  const std::string loader = kBytesLoader + std::string(std::string_view(kind()));
  int64_t mask = kRunnable;
  if (Function::GetGlobal(loader)) mask |= kBinarySerializable;
  return mask;
}

void ModuleObj::write_to_file_impl(const String&, const String&) const {
  TAIN_THROW(NotImplementedError) << "a module of kind '" << std::string_view(kind())
                                  << "' cannot be written to a file";
}

Bytes ModuleObj::save_to_bytes_impl() const {
  TAIN_THROW(NotImplementedError) << "a module of kind '" << std::string_view(kind())
                                  << "' cannot be saved to bytes";
}

String ModuleObj::get_source_impl(const String&) const { return ""; }

Array<String> ModuleObj::get_write_formats_impl() const { return {}; }

Optional<String> ModuleObj::get_function_metadata_impl(const String&) { return {}; }

Optional<String> ModuleObj::get_function_doc_impl(const String&) { return {}; }

// ---------------------------------------------------------------- imports

namespace {

/// Of the imports of all modules: code without the host's lock looks functions up in them.
std::mutex& ImportsLock() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

namespace internal {
constinit const ForkSteps imports_fork = StepsFor<&ImportsLock>();
}  // namespace internal

Array<Ref<ModuleObj>> ModuleObj::imports() const {
  if (const auto* foreign = internal::AsForeign(this)) return foreign->Imports();
  const std::lock_guard lock(ImportsLock());
  return imports_;
}

void ModuleObj::import_module(const Module& other) {
  if (!other.defined()) TAIN_THROW(ValueError) << "import_module: expected a module, got None";
  if (Reaches(other.get(), this)) {
    TAIN_THROW(ValueError) << "import_module: a module cannot import itself, "
                           << (internal::IdentityOf(other.get()) == internal::IdentityOf(this)
                                   ? "but was given itself"
                                   : "but the given module imports it");
  }
  if (auto* foreign = internal::AsForeign(this)) {
    foreign->Import(other);
    other->num_importers_.fetch_add(1);  // for good: that library does not say when it ends
    return;
  }
  {
    const std::lock_guard lock(ImportsLock());
    imports_.push_back(Ref<ModuleObj>(GetObjectPtr(other.get())));
  }
  other->num_importers_.fetch_add(1);
}

void ModuleObj::clear_imports() {
  if (auto* foreign = internal::AsForeign(this)) return foreign->ClearImports();
  DropImports();
}

void ModuleObj::DropImports() noexcept {
  Array<Ref<ModuleObj>> old;
  {
    const std::lock_guard lock(ImportsLock());
    old = std::exchange(imports_, {});
  }
  for (const Ref<ModuleObj>& one : old) one->num_importers_.fetch_sub(1);
}

ModuleObj::~ModuleObj() { DropImports(); }

Function ModuleObj::find_function(const String& name) {
  internal::ImportWalk walk(this);
  while (ModuleObj* module = walk.Next()) {
    if (Function found = module->get_function(name); found.defined()) return found;
  }
  return nullptr;
}

// ---------------------------------------------------------------- Module

Module Module::LoadFromFile(std::string_view file, std::string_view format) {
  if (file.empty()) TAIN_THROW(ValueError) << "the path of the module is empty";
  const std::string used(format.empty() ? ExtensionOf(file) : format);
  if (used.empty()) {
    TAIN_THROW(ValueError) << file
                           << " has no extension that says its format: "
                              "name the format";
  }
  const std::string name = "ffi.Module.load_from_file." + used;
  const Function loader = LoaderOf(name, "the format '" + used + "'");
  return ModuleFrom(loader(String(file.data(), file.size()), String(used)), name);
}

Module Module::LoadFromBytes(std::string_view kind, const Bytes& bytes) {
  const std::string name = kBytesLoader + std::string(kind);
  const Function loader = LoaderOf(name, "the kind '" + std::string(kind) + "'");
  return ModuleFrom(loader(bytes), name);
}

const Function Module::operator[](std::string_view name) const {
  if (!defined()) internal::ThrowNullAccess(ModuleObj::_type_key);
  return Required(*get(), name);
}

// ---------------------------------------------------------------- registration

/// Reads the private members of ModuleObj.
struct ModuleRegistration {
  static void Run();
};

namespace {

template <int64_t kBit>
bool HasProperty(ModuleObj& self) {
  return (self.get_property_mask() & kBit) != 0;
}

bool IsDevice(ModuleObj& self) {
  const String kind = self.kind();
  for (const internal::DeviceKind& device : internal::kDeviceKinds) {
    for (const std::string_view known : device.module_kinds) {
      if (!known.empty() && std::string_view(kind) == known) return true;
    }
  }
  return false;
}

/// Returns the first answer of what a module imports, the nearest first; nothing if none has one.
template <class Ask>
auto FirstOfImports(ModuleObj& self, const Ask& ask) -> decltype(ask(self)) {
  internal::ImportWalk walk(&self);
  walk.Next();  // the module itself
  while (ModuleObj* one = walk.Next()) {
    if (auto answer = ask(*one); answer.has_value()) return answer;
  }
  return {};
}

/// Python's mod.name, after everything else. Names with two underscores are protocols of Python.
Function GetAttribute(ModuleObj& self, const std::string& name) {
  if (name.starts_with("__")) {
    TAIN_THROW(AttributeError) << NameOf(self) << " has no attribute '" << internal::ShortName(name)
                               << "'";
  }
  return Required(self, name);
}

Any CallEntry(ModuleObj& self, Args args, Kwargs kwargs) {
  return Required(self, kEntry).CallPacked(args, kwargs);
}

}  // namespace

void ModuleRegistration::Run() {
  namespace refl = reflection;
  using internal::LoadTree;
  using internal::SaveTree;
  // Not thread_safe, nor is ModuleSaveTree: kinds that say nothing override what they call.
  refl::ObjectDef<ModuleObj>(
      "A set of functions that are loaded and saved together.\n\n"
      "`mod.name` and `mod[\"name\"]` are its functions, and `mod(x)` calls the entry, the "
      "function "
      "`main`. A subclass\nwritten in Python gives `kind`, `get_function` and whatever else its "
      "modules can do.")
      .def_init<>()
      .def_property(
          "imports", [](ModuleObj& self) { return self.imports(); },
          "Modules in which functions are looked up if this one does not have them.")
      .def_virtual_property("kind", &ModuleObj::kind_impl,
                            "The kind of the module, under which its loader is registered.")
      .def_property(
          "type_key", [](ModuleObj& self) { return self.kind(); }, "The same as `kind`.")
      .def_property(
          "entry_name", [](ModuleObj&) { return String(kEntry); },
          "The name of the function that `mod(x)` calls.", thread_safe())
      .def_property(
          "format",
          [](ModuleObj& self) -> String {
            const Array<String> formats = self.get_write_formats();
            return formats.empty() ? String("") : formats[0];
          },
          "The format that `save` writes; empty if the module cannot be written.")
      .def_property("is_binary", &HasProperty<ModuleObj::kBinarySerializable>,
                    "Whether the module can be saved to bytes and made from them again. Unless a "
                    "class says otherwise\n(`get_property_mask`), it is whether a loader of the "
                    "kind is registered.")
      .def_property("is_binary_serializable", &HasProperty<ModuleObj::kBinarySerializable>,
                    "The same as `is_binary`.")
      .def_property("is_runnable", &HasProperty<ModuleObj::kRunnable>,
                    "Whether it has functions to call.")
      .def_property("is_compilation_exportable", &HasProperty<ModuleObj::kCompilationExportable>,
                    "Whether `save` writes something that a compiler takes.")
      .def_property("is_device_module", &IsDevice, "Whether its code runs on a device.")
      .def_virtual(
          "get_function",
          [](ModuleObj& self, const String& name, bool query_imports) {
            Function own = self.get_function_impl(name);
            return own.defined() || !query_imports ? own : self.find_function(name);
          },
          arg("name"), arg("query_imports") = false,
          "Returns a function of this module itself, or of what it imports if `query_imports` is "
          "true, or None.")
      .def_virtual(
          "implements_function",
          [](ModuleObj& self, const String& name, bool query_imports) {
            return self.implements_function_impl(name) ||
                   (query_imports &&
                    FirstOfImports(self, [&](ModuleObj& one) -> std::optional<bool> {
                      if (one.implements_function(name)) return true;
                      return std::nullopt;
                    }).has_value());
          },
          arg("name"), arg("query_imports") = false,
          "Whether this module itself has a function, or what it imports if `query_imports` is "
          "true.")
      .def_virtual("get_function_list", &ModuleObj::get_function_list_impl,
                   "Returns the names of the functions.")
      .def_virtual(
          "get_property_mask", &ModuleObj::get_property_mask_impl,
          "Returns 1 if it can be saved to bytes, plus 2 if it has functions to call, plus "
          "4 if `save` writes something that a compiler takes.")
      .def_virtual("write_to_file", &ModuleObj::write_to_file_impl, arg("file"), arg("fmt") = "",
                   "Writes the module to a file.")
      .def_virtual("save_to_bytes", &ModuleObj::save_to_bytes_impl,
                   "Returns the bytes from which the loader of the kind makes the module again.")
      .def_virtual("get_source", &ModuleObj::get_source_impl, arg("fmt") = "",
                   "Returns the source text of the module; empty if it has none.")
      .def(
          "inspect_source",
          [](ModuleObj& self, const String& format) { return self.get_source(format); },
          arg("fmt") = "", "The same as `get_source`.")
      .def_virtual("get_write_formats", &ModuleObj::get_write_formats_impl,
                   "Returns the formats that `write_to_file` knows.")
      .def_virtual(
          "get_function_metadata",
          [](ModuleObj& self, const String& name, bool query_imports) {
            Optional<String> own = self.get_function_metadata_impl(name);
            if (own.has_value() || !query_imports) return own;
            return FirstOfImports(self,
                                  [&](ModuleObj& one) { return one.get_function_metadata(name); });
          },
          arg("name"), arg("query_imports") = false,
          "Returns JSON text with the types of a function, or None.")
      .def_virtual(
          "get_function_doc",
          [](ModuleObj& self, const String& name, bool query_imports) {
            Optional<String> own = self.get_function_doc_impl(name);
            if (own.has_value() || !query_imports) return own;
            return FirstOfImports(self, [&](ModuleObj& one) { return one.get_function_doc(name); });
          },
          arg("name"), arg("query_imports") = false,
          "Returns the documentation of a function, or None.")
      .def("find_function", &ModuleObj::find_function, arg("name"),
           "Returns a function of this module or of its imports, or None.")
      .def("import_module", &ModuleObj::import_module, arg("module"),
           "Adds an import. Raises ValueError if the module would import itself.")
      .def("clear_imports", &ModuleObj::clear_imports, "Removes all imports.")
      .def(
          "save",
          [](ModuleObj& self, const std::filesystem::path& file, const String& format) {
            self.write_to_file(file.string(), format);
          },
          arg("file"), arg("fmt") = "", "The same as `write_to_file`.")
      .def("time_evaluator", &internal::TimeEvaluator, arg("name"), arg("dev") = nullptr,
           arg("number") = 10, arg("repeat") = 1, arg("min_repeat_ms") = 0,
           "Returns a function that calls a function of the module `number` times in each of "
           "`repeat` rounds,\nand returns the mean seconds of a call with those of each round. "
           "`number` grows until a round takes\n`min_repeat_ms` milliseconds.")
      .def("__getattr__", &GetAttribute, arg("name"))
      .def(
          "__getitem__",
          [](ModuleObj& self, const std::string& name) { return Required(self, name); },
          arg("name"))
      .def("__call__", &CallEntry);
  refl::GlobalDef()
      .def(
          "ffi.ModuleLoadFromFile",
          [](const String& file, const String& format) {
            return Module::LoadFromFile(file, format);
          },
          arg("file"), arg("fmt") = "", "Loads a module from a file.", release_gil())
      .def(
          "ffi.ModuleLoadFromBytes",
          [](const String& kind, const Bytes& bytes) { return Module::LoadFromBytes(kind, bytes); },
          arg("kind"), arg("bytes"), "Makes a module of a kind from its bytes.", release_gil())
      .def(
          "ffi.ModuleLoadFromTree", [](const Bytes& bytes) { return LoadTree(bytes, Module()); },
          arg("bytes"), "Makes a module and its imports from what `ffi.ModuleSaveTree` returned.",
          release_gil())
      .def("ffi.ModuleSaveTree", &SaveTree, arg("module"),
           "Returns the bytes of a module and of its imports.")
      .def(
          "ffi.SystemLib", [](const String& prefix) { return Module::SystemLib(prefix); },
          arg("prefix") = "", "Returns the module of the symbols that are linked in.",
          release_gil());
}

}  // namespace tain

TAIN_REGISTER { tain::ModuleRegistration::Run(); }
