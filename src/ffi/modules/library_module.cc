// SPDX-License-Identifier: Apache-2.0
// The module of a library; see library_module.h.
#include "modules/library_module.h"
#include "modules/foreign_module.h"

#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include "base/file_path.h"
#include "base/guard.h"
#include "modules/context_symbols.h"
#include "modules/exported.h"
#include "modules/module_tree.h"
#include "registry/foreign_type.h"
#include "registry/member_writer.h"
#include "registry/overloads.h"
#include "tain/internal/replace_file.h"
#include "tain/reflection/object_def.h"

namespace tain::internal {
namespace {

const std::string kPrefix = "__tvm_ffi_";
constexpr const char* kContextSlot = "__tvm_ffi__library_ctx";
constexpr const char* kLibraryBin = "__tvm_ffi__library_bin";
/// How many registered names of a kind the repr of a module shows.
constexpr size_t kMaxShown = 8;

template <int32_t kKind>
Array<String> RegisteredNames(LibraryModuleObj& self) {
  return self.Registered(kKind);
}

/// Returns the address of a symbol that must be a function, or null if there is none.
TainSafeCall FindCode(const SymbolSource& symbols, const std::string& symbol) {
  void* address = symbols.Find(symbol);
  if (address != nullptr && !symbols.Facts(symbol).is_function) {
    TAIN_THROW(TypeError) << symbols.File() << ": expected a function as the symbol " << symbol
                          << ", got data";
  }
  return reinterpret_cast<TainSafeCall>(address);
}

/// The code of Functions whose module is closed.
int RefuseCall(void* self, const TainAny*, int32_t, TainAny*) noexcept {
  return Guard([&] { static_cast<const LibraryModuleObj&>(ModuleOfExported(self)).symbols(); });
}

/// Returns the address of a variable of the library, or null if there is none.
void** FindSlot(const SymbolSource& symbols, const std::string& symbol) {
  void* address = symbols.Find(symbol);
  const SymbolFacts facts = symbols.Facts(symbol);
  if (address != nullptr && facts.is_function) {
    TAIN_THROW(ImportError) << symbols.File() << ": expected a variable as the symbol " << symbol
                            << ", got a function";
  }
  const bool is_small = facts.size != 0 && facts.size < sizeof(void*);
  if (address != nullptr && symbol != kLibraryBin && (!facts.is_writable || is_small)) {
    TAIN_THROW(ImportError) << symbols.File() << ": expected a pointer that can be written as "
                            << "the symbol " << symbol;
  }
  return static_cast<void**>(address);
}

/// Returns the bytes of __tvm_ffi__library_bin, which begin with their number.
tain::Bytes LibraryBin(const SymbolSource& symbols, const char* data) {
  const uint64_t room = symbols.Facts(kLibraryBin).size;
  const auto damaged = [&] {
    TAIN_THROW(ImportError) << symbols.File() << ": the modules that it contains are damaged";
  };
  if (room != 0 && room < 8) damaged();
  const uint64_t size = ReadNumber(data);
  if (size > (uint64_t{1} << 40) || (room != 0 && size > room - 8)) damaged();
  return tain::Bytes(data, size + 8);
}

}  // namespace

// ---------------------------------------------------------------- functions

LibraryModuleObj::LibraryModuleObj(std::unique_ptr<SymbolSource> symbols)
    : symbols_(std::move(symbols)) {}

LibraryModuleObj::~LibraryModuleObj() { ClearContextSlot(); }

void LibraryModuleObj::ClearContextSlot() noexcept {
  if (auto* slot = static_cast<void**>(symbols_->Find(kContextSlot))) {
    void* own = ObjectAccess::Header(this);  // another load of the library may have set its own
    std::atomic_ref(*slot).compare_exchange_strong(own, nullptr);
  }
}

const SymbolSource& LibraryModuleObj::symbols() const {
  if (closed_.load()) TAIN_THROW(ValueError) << "the module is closed: " << File();
  return *symbols_;
}

std::string LibraryModuleObj::File() const { return symbols_->File(); }

Array<String> LibraryModuleObj::Registered(int32_t kind) const {
  struct Found {
    int32_t kind;
    Array<String> names;
    std::exception_ptr error;
  } found{kind, {}, nullptr};
  const std::string file = File();
  if (file.empty()) return {};
  const TainByteArray path{file.data(), file.size()};
  const auto add = [](int32_t one, const TainByteArray* name, void* context) noexcept {
    auto* into = static_cast<Found*>(context);
    try {
      if (one == into->kind) into->names.push_back(String(name->data, name->size));
      return 0;
    } catch (...) {
      into->error = std::current_exception();
      return 1;
    }
  };
  ThrowIfFailed(TainListRegistered(&path, add, &found));
  if (found.error != nullptr) std::rethrow_exception(found.error);
  return found.names;
}

std::string LibraryModuleObj::Text() const {
  const std::string file = File();
  std::string text = "<module " + (file.empty() ? "of the program" : file);
  if (closed()) text += ", closed";
  const auto add = [&](const char* what, int32_t kind) {
    const Array<String> names = Registered(kind);
    for (size_t i = 0; i < names.size() && i < kMaxShown; ++i) {
      text += (i == 0 ? std::string(", ") + what + " " : ", ") + std::string(names[i]);
    }
    if (names.size() > kMaxShown) text += ", ...";
  };
  add("with the types", kTainRegisteredType);
  add("the enums", kTainRegisteredEnum);
  add("the functions", kTainRegisteredFunction);
  add("the exceptions", kTainRegisteredError);
  add("the constants", kTainRegisteredConstant);
  return text + ">";
}

Function LibraryModuleObj::Make(const std::string& name) {
  const Ref<ModuleObj> self(ObjectPtr<ModuleObj>(GetObjectPtr(this)));
  const std::string symbol = "__tain_export_" + name;
  if (const void* record = symbols_->Find(symbol)) {
    const SymbolFacts facts = symbols_->Facts(symbol);
    if (facts.is_function || (facts.size != 0 && facts.size < sizeof(ModuleExport))) {
      TAIN_THROW(ImportError) << File() << ": the symbol " << symbol
                              << " is not what TAIN_EXPORT wrote";
    }
    return FunctionOfExport(*static_cast<const ModuleExport*>(record), name, self);
  }
  const TainSafeCall code = FindCode(*symbols_, kPrefix + name);
  if (code == nullptr) return Function();
  Function made = FunctionOfSymbol(code, self);
  Describe(name, RefAccess::Header(made));
  return made;
}

void LibraryModuleObj::Describe(const std::string& name, TainObject* function) {
  {
    const std::lock_guard lock(mutex_);
    // Infos are never freed: one for each name, not for each Function of it.
    if (const auto known = described_.find(name); known != described_.end()) {
      if (known->second != nullptr) SetSharedInfo(function, known->second);
      return;
    }
  }
  const auto text = [&](const char* what) {
    try {
      const Optional<String> said = CallText(kPrefix + what + name);
      return said.has_value() ? std::string(std::string_view(*said)) : std::string();
    } catch (const Error&) {
      return std::string();  // a function can be called although nothing is known of it
    }
  };
  const std::string metadata = text("_metadata_"), doc = text("_doc_");
  DescribeForeign(function, name, doc, {metadata.data(), metadata.size()}, 0);
  const std::lock_guard lock(mutex_);
  described_.emplace(name, TainFunctionGetInfo(function));
}

Function LibraryModuleObj::get_function_impl(const String& name) {
  const std::string text{std::string_view(name)};
  {
    const std::lock_guard lock(mutex_);
    symbols();
    if (const auto it = made_.find(text); it != made_.end()) {
      if (ObjectPtr<FunctionObj> alive = it->second.lock()) return Function(std::move(alive));
    }
  }
  Function made = Make(text);  // runs code of the library
  if (!made.defined()) return made;
  const std::lock_guard lock(mutex_);
  symbols();
  Weak<FunctionObj>& known = made_[text];
  if (ObjectPtr<FunctionObj> alive = known.lock()) return Function(std::move(alive));
  known = RefAccess::Share<FunctionObj>(RefAccess::Header(made));
  return made;
}

bool LibraryModuleObj::implements_function_impl(const String& name) {
  const std::string symbol = kPrefix + std::string(std::string_view(name));
  return symbols().Find(symbol) != nullptr && symbols().Facts(symbol).is_function;
}

Array<String> LibraryModuleObj::get_function_list_impl() const {
  Array<String> names;
  for (const std::string& name : symbols().FunctionNames()) names.push_back(String(name));
  return names;
}

const Function& LibraryModuleObj::LookUpForCode(const std::string& name) {
  symbols();
  {
    const std::lock_guard lock(mutex_);
    if (const auto it = found_.find(name); it != found_.end()) return it->second;
  }
  Function found;
  const Array<Ref<ModuleObj>> known = imports();  // a function may change them
  for (const Ref<ModuleObj>& import : known) {
    if (found = import->find_function(String(name)); found.defined()) break;
  }
  if (!found.defined()) {
    if (std::optional<Function> global = Function::GetGlobal(name)) found = *std::move(global);
  }
  if (!found.defined()) {
    TAIN_THROW(ValueError) << File() << " calls the function '" << name
                           << "', which neither its imports nor the global functions have";
  }
  const std::lock_guard lock(mutex_);
  return found_.emplace(name, std::move(found)).first->second;
}

// ---------------------------------------------------------------- texts and files

Optional<String> LibraryModuleObj::CallText(const std::string& symbol) const {
  const TainSafeCall code = FindCode(symbols(), symbol);
  if (code == nullptr) return {};
  TainAny result{};
  ThrowIfFailed(code(nullptr, nullptr, 0, &result));
  return Any::Steal(result).cast<Optional<String>>();
}

String LibraryModuleObj::get_source_impl(const String&) const {
  const Optional<String> text = CallText(kPrefix + "_source");
  return text.has_value() ? *text : String("");
}

Optional<String> LibraryModuleObj::get_function_metadata_impl(const String& name) {
  const std::string text{std::string_view(name)};
  if (Optional<String> said = CallText(kPrefix + "_metadata_" + text)) return said;
  const Function function = get_function(name);
  const TainFunctionInfo* info = TainFunctionGetInfo(RefAccess::Header(function));
  return info == nullptr ? Optional<String>() : Optional<String>(MetadataOf(*info));
}

Optional<String> LibraryModuleObj::get_function_doc_impl(const String& name) {
  const std::string text{std::string_view(name)};
  if (Optional<String> said = CallText(kPrefix + "_doc_" + text)) return said;
  const Function function = get_function(name);
  const TainFunctionInfo* info = TainFunctionGetInfo(RefAccess::Header(function));
  if (info == nullptr || info->doc.size == 0) return {};
  return String(info->doc.data, info->doc.size);
}

void LibraryModuleObj::write_to_file_impl(const String& file, const String& format) const {
  if (!std::string_view(format).empty() && std::string_view(format) != "so") {
    TAIN_THROW(ValueError) << "write_to_file: a library is written as \"so\", not as \""
                           << std::string_view(format) << "\"";
  }
  const tain::Bytes bytes = save_to_bytes_impl();
  // The file may be a library that the process has mapped: it is never written into.
  ReplaceFile(FilePath(std::string_view(file), "write_to_file"), std::string_view(bytes),
              "write_to_file");
}

tain::Bytes LibraryModuleObj::save_to_bytes_impl() const {
  const std::string content = symbols().Content();
  return tain::Bytes(content.data(), content.size());
}

// ---------------------------------------------------------------- close

void LibraryModuleObj::Close() {
  if (const std::string reason = symbols_->ReasonToStay(); !reason.empty()) {
    const std::string file = File();
    TAIN_THROW(RuntimeError) << "cannot close "
                             << (file.empty() ? "the module of the program" : file) << ": "
                             << reason << ", so it stays loaded until the process ends";
  }
  std::vector<ObjectPtr<FunctionObj>> alive;  // one that ends here may run code of the host
  {
    const std::lock_guard lock(mutex_);
    if (closed_.exchange(true)) return;
    for (const auto& [name, function] : made_) {
      if (ObjectPtr<FunctionObj> one = function.lock()) {
        std::atomic_ref(one->body.cell.safe_call).store(&RefuseCall);  // calls that run go on
        alive.push_back(std::move(one));
      }
    }
    made_.clear();
    ClearContextSlot();
  }
  clear_imports();
}

// ---------------------------------------------------------------- making

Module MakeLibraryModule(std::unique_ptr<SymbolSource> symbols) {
  for (const auto& [name, address] : ContextSymbols()) {
    if (void** slot = FindSlot(*symbols, name)) *slot = address;
  }
  void** slot = FindSlot(*symbols, kContextSlot);
  Module library(ObjectPtr<ModuleObj>(make_object<LibraryModuleObj>(std::move(symbols))));
  if (slot != nullptr) {
    std::atomic_ref(*slot).store(static_cast<void*>(RefAccess::Header(library)));
  }
  return library;
}

Module MakeModuleTree(std::unique_ptr<SymbolSource> symbols) {
  const SymbolSource& source = *symbols;
  const auto* bin = reinterpret_cast<const char*>(FindSlot(source, kLibraryBin));
  const Module library = MakeLibraryModule(std::move(symbols));
  return bin == nullptr ? library : LoadTree(LibraryBin(source, bin), library);
}

}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainEnvModLookupFromImports(TainObject* library_ctx, const char* func_name,
                                           TainObject** out) noexcept {
  return Guard([&] {
    const char* where = "TainEnvModLookupFromImports";
    TainObject*& result = NotNull(out, where, "a place for the result");
    NotNull(library_ctx, where, "the context of a library");
    if (library_ctx->type_index == kTainModule &&
        (library_ctx->reserved & kTainHeaderHasPrefix) == 0) {
      NotNull(func_name, where, "a name");
      result = LookUpInForeign(library_ctx, func_name);
      return;
    }
    const auto module = RefAccess::Share<tain::Object>(library_ctx);
    auto* library = const_cast<LibraryModuleObj*>(
        static_cast<const tain::ObjectRef&>(tain::ObjectRef(module)).as<LibraryModuleObj>());
    if (library == nullptr) {
      TAIN_THROW(TypeError) << where << ": expected the context of a library";
    }
    NotNull(func_name, where, "a name");
    result = RefAccess::Header(library->LookUpForCode(func_name));
  });
}

TAIN_REGISTER {
  // The symbols never change, and the registry and the rest of the state have their locks.
  tain::reflection::ObjectDef<LibraryModuleObj>(
      "The module of a library. Its functions are what TAIN_EXPORT wrote, or the C symbols "
      "`__tvm_ffi_<name>`.",
      tain::thread_safe())
      .def("__repr__", &LibraryModuleObj::Text)
      .def_property("types", &RegisteredNames<kTainRegisteredType>,
                    "The keys of the types that the library registered, sorted.")
      .def_property("enums", &RegisteredNames<kTainRegisteredEnum>,
                    "The keys of the enums that the library registered, sorted.")
      .def_property("functions", &RegisteredNames<kTainRegisteredFunction>,
                    "The names of the global functions that the library registered, sorted.")
      .def_property("errors", &RegisteredNames<kTainRegisteredError>,
                    "The keys of the exception classes that the library registered, sorted.")
      .def_property("constants", &RegisteredNames<kTainRegisteredConstant>,
                    "The names of the constants that the library registered, sorted.")
      .def_property("file", &LibraryModuleObj::File, "The path of the library.")
      .def_property("closed", &LibraryModuleObj::closed, "Whether `close` was called.")
      .def("close", &LibraryModuleObj::Close,
           "Ends the use of the module: what is asked of it, and calls of its functions, raise "
           "ValueError from then on, and\nits imports are dropped. Calls that run go on, and "
           "objects "
           "of it stay valid, because the code stays in memory\nuntil the process ends. Raises "
           "RuntimeError, and changes nothing, if the library registered types or functions.");
}
