// SPDX-License-Identifier: Apache-2.0
// Modules of tain's for code of others, and modules of others for tain; see module_abi.h.
#include "module_abi.h"

#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "exception.h"
#include "tain/c_api_host.h"

namespace tain::compat {
namespace {

using TheirObj = tvm::ffi::ModuleObj;

String Plain(const tvm::ffi::String& text) { return text; }

/// A module of tain's in the layout of the others. Imports that tain's module gets live in it alone.
class Dressed final : public TheirObj {
 public:
  explicit Dressed(const Module& module) : module_(module), kind_(module->kind()) {
    header = TainObject{(uint64_t{1} << 32) | 1, kTainModule, 0, &Delete};
  }

  const char* kind() const override { return kind_.c_str(); }
  int GetPropertyMask() const override {
    return ForTheirs([&] { return static_cast<int>(module_->get_property_mask()); });
  }
  Function GetFunction(const tvm::ffi::String& name) override {
    return ForTheirs([&] { return module_->get_function(Plain(name)); });
  }
  bool ImplementsFunction(const tvm::ffi::String& name) override {
    return ForTheirs([&] { return module_->implements_function(Plain(name)); });
  }
  Any GetFunctionDoc(const tvm::ffi::String& name) override {
    return ForTheirs([&] { return Any(module_->get_function_doc(Plain(name))); });
  }
  Any GetFunctionMetadata(const tvm::ffi::String& name) override {
    return ForTheirs([&] { return Any(module_->get_function_metadata(Plain(name))); });
  }
  void WriteToFile(const tvm::ffi::String& file, const tvm::ffi::String& format) const override {
    ForTheirs([&] { module_->write_to_file(Plain(file), Plain(format)); });
  }
  Array<String> GetWriteFormats() const override {
    return ForTheirs([&] { return module_->get_write_formats(); });
  }
  tain::Bytes SaveToBytes() const override {
    return ForTheirs([&] { return module_->save_to_bytes(); });
  }
  String InspectSource(const tvm::ffi::String& format) const override {
    return ForTheirs([&] { return module_->get_source(Plain(format)); });
  }
  void ImportModule(const tvm::ffi::Module& other) override {
    ForTheirs([&] {
      module_->import_module(Any(other.object).cast<Module>());
      ShowImports();
    });
  }
  void ClearImports() override {
    ForTheirs([&] {
      module_->clear_imports();
      ShowImports();
    });
  }

  const Module& module() const noexcept { return module_; }
  /// Writes the imports where inline code of the others reads them.
  void ShowImports() {
    Array<Any> shown;
    for (const Ref<tain::ModuleObj>& one : module_->imports()) {
      shown.push_back(ForTheirCode(Module(one)));
    }
    imports = std::move(shown);
  }

 private:
  static void Delete(void* object, int flags) {
    auto* self = static_cast<Dressed*>(TheirModule(static_cast<TainObject*>(object)));
    if ((flags & kTainDeleteStrong) != 0) self->~Dressed();
    if ((flags & kTainDeleteWeak) != 0) ::operator delete(static_cast<void*>(self));
  }

  Module module_;
  std::string kind_;
};

/// Returns the dressed module of an object, or null if it is a library's own. Any object of the class
/// has a virtual table, and that of Dressed is this library's alone.
Dressed* AsDressed(TainObject* header) noexcept {
  static const void* const dressed_table = [] {
    const Dressed probe{Module(make_object<ModuleObj>())};
    return *reinterpret_cast<void* const*>(&probe);
  }();
  TheirObj* module = TheirModule(header);
  return *reinterpret_cast<void**>(module) == dressed_table ? static_cast<Dressed*>(module)
                                                            : nullptr;
}

Module FromTheirCode(const Any& value) { return value.cast<Module>(); }

// ---------------------------------------------------------------- their modules, asked by tain

/// Returns the text of an argument that tain passes.
tvm::ffi::String TextOf(const TainAny& value) {
  return tvm::ffi::String(AnyView(value).cast<String>());
}

Function LookUp(TheirObj* module, const TainAny& name) {
  static std::mutex& mutex = *new std::mutex;  // of the functions that all modules have looked up
  const tvm::ffi::String text = TextOf(name);
  {
    const std::lock_guard lock(mutex);
    if (const auto known = module->looked_up.Get(text)) return *known;
  }
  Function found;
  const Array<Any> imports = module->imports;  // a function may change them
  for (const Any& import : imports) {
    if (found = FromTheirCode(import)->find_function(text); found.defined()) break;
  }
  if (!found.defined()) {
    if (std::optional<Function> global = Function::GetGlobal(text)) found = *std::move(global);
  }
  if (!found.defined()) {
    TAIN_THROW(ValueError) << "code of a module of kind '" << module->kind()
                           << "' calls the function '" << std::string_view(text)
                           << "', which neither its imports nor the global functions have";
  }
  const std::lock_guard lock(mutex);
  module->looked_up.Set(text, found);
  return found;
}

Any Ask(TheirObj* module, int32_t operation, const TainAny* args) {
  switch (operation) {
    case kTainModuleKind: return String(module->kind());
    case kTainModulePropertyMask: return module->GetPropertyMask();
    case kTainModuleGetFunction: return module->GetFunction(TextOf(args[0]));
    case kTainModuleImplementsFunction: return module->ImplementsFunction(TextOf(args[0]));
    case kTainModuleFunctionDoc: return module->GetFunctionDoc(TextOf(args[0]));
    case kTainModuleFunctionMetadata: return module->GetFunctionMetadata(TextOf(args[0]));
    case kTainModuleWriteToFile: module->WriteToFile(TextOf(args[0]), TextOf(args[1])); return {};
    case kTainModuleWriteFormats: return module->GetWriteFormats();
    case kTainModuleSaveToBytes: return module->SaveToBytes();
    case kTainModuleSource: return module->InspectSource(TextOf(args[0]));
    case kTainModuleImports: {
      Array<Module> imports;
      for (const Any& one : module->imports) imports.push_back(FromTheirCode(one));
      return imports;
    }
    case kTainModuleImport:
      module->ImportModule(tvm::ffi::Module{ForTheirCode(AnyView(args[0]).cast<Module>())});
      return {};
    case kTainModuleClearImports: module->ClearImports(); return {};
    case kTainModuleLookUp: return LookUp(module, args[0]);
    default: TAIN_THROW(ValueError) << "no operation on modules has the number " << operation;
  }
}

int Call(TainObject* module, int32_t operation, const TainAny* args, int32_t,
         TainAny* result) noexcept {
  return Guard([&] {
    Any answer = CallTheirs([&] { return Ask(TheirModule(module), operation, args); });
    *result = answer.Release();
  });
}

int Dress(TainObject* module, TainObject** out) noexcept {
  return Guard([&] {
    void* memory = ::operator new(sizeof(Dressed));
    try {
      auto* dressed =
          ::new (memory) Dressed(AnyView(internal::ViewOfObject(module)).cast<Module>());
      dressed->ShowImports();
      *out = &dressed->header;
    } catch (...) {
      ::operator delete(memory);
      throw;
    }
  });
}

TainObject* Undress(TainObject* module) noexcept {
  Dressed* dressed = AsDressed(module);
  return dressed == nullptr ? nullptr : internal::RefAccess::Header(dressed->module());
}

constexpr TainModuleOperations kOperations{&Call, &Dress, &Undress};

[[maybe_unused]] const int is_set = TainSetModuleOperations(&kOperations);

}  // namespace

ObjectRef ForTheirCode(const Module& module) {
  const AnyView view(module);  // the other library's object, if it is one
  TainObject* header = view.data().v_obj;
  if (header == nullptr || (header->reserved & kTainHeaderHasPrefix) == 0)
    return view.cast<ObjectRef>();
  TainObject* dressed = nullptr;
  if (Dress(header, &dressed) != 0) throw Error::MoveFromRaised();
  return internal::RefAccess::Make<ObjectRef>(internal::RefAccess::Steal<Object>(dressed));
}

}  // namespace tain::compat

// ---------------------------------------------------------------- what libraries of others call

namespace tvm::ffi {
namespace {

using tain::compat::ForTheirs;

bool IsAnswer(bool answer) { return answer; }
bool IsAnswer(const tain::Function& answer) { return answer.defined(); }
bool IsAnswer(const tain::Any& answer) { return answer.type_index() != kTainNone; }

/// Asks a module and then what it imports, the nearest last, for what `ask` returns if it is true.
template <class R, class Ask>
R FirstAmong(ModuleObj* module, bool query_imports, const Ask& ask) {
  return ForTheirs([&]() -> R {
    if (R own = ask(module); IsAnswer(own)) return own;
    if (!query_imports) return R();
    const tain::Array<tain::Any> imports = module->imports;
    for (const tain::Any& one : imports) {
      TainObject* header = one.data().v_obj;
      R found = FirstAmong<R>(tain::compat::TheirModule(header), true, ask);
      if (IsAnswer(found)) return found;
    }
    return R();
  });
}

[[noreturn]] void ThrowUnsupported(const ModuleObj* module, const char* what) {
  throw Error(tain::Error("RuntimeError", std::string("a module of kind '") + module->kind() +
                                              "' does not support " + what));
}

}  // namespace

int ModuleObj::GetPropertyMask() const { return 0; }
bool ModuleObj::ImplementsFunction(const String& name) { return GetFunction(name).defined(); }
tain::Any ModuleObj::GetFunctionDoc(const String&) { return {}; }
tain::Any ModuleObj::GetFunctionMetadata(const String&) { return {}; }
void ModuleObj::WriteToFile(const String&, const String&) const {
  ThrowUnsupported(this, "WriteToFile");
}
tain::Array<tain::String> ModuleObj::GetWriteFormats() const { return {}; }
tain::Bytes ModuleObj::SaveToBytes() const { ThrowUnsupported(this, "SaveToBytes"); }
tain::String ModuleObj::InspectSource(const String&) const { return tain::String(""); }

void ModuleObj::ImportModule(const Module& other) {
  std::unordered_set<const void*> seen;
  std::vector<tain::ObjectRef> waiting{other.object};
  while (!waiting.empty()) {
    const tain::ObjectRef one = std::move(waiting.back());
    waiting.pop_back();
    TainObject* object = tain::internal::RefAccess::Header(one);
    if (object == &header) {
      throw Error(tain::Error("RuntimeError",
                              "ImportModule: a module cannot import itself, "
                              "directly or through others"));
    }
    if (!seen.insert(object).second) continue;
    for (const tain::Any& next : tain::compat::TheirModule(object)->imports) {
      waiting.push_back(next.cast<tain::ObjectRef>());
    }
  }
  ForTheirs([&] { imports.push_back(tain::Any(other.object)); });
}
void ModuleObj::ClearImports() {
  ForTheirs([&] { imports = tain::Array<tain::Any>(); });
}

tain::Function ModuleObj::GetFunction(const String& name, bool query_imports) {
  return FirstAmong<tain::Function>(this, query_imports,
                                    [&](ModuleObj* one) { return one->GetFunction(name); });
}
bool ModuleObj::ImplementsFunction(const String& name, bool query_imports) {
  return FirstAmong<bool>(this, query_imports,
                          [&](ModuleObj* one) { return one->ImplementsFunction(name); });
}
tain::Any ModuleObj::GetFunctionDoc(const String& name, bool query_imports) {
  return FirstAmong<tain::Any>(this, query_imports,
                               [&](ModuleObj* one) { return one->GetFunctionDoc(name); });
}
tain::Any ModuleObj::GetFunctionMetadata(const String& name, bool query_imports) {
  return FirstAmong<tain::Any>(this, query_imports,
                               [&](ModuleObj* one) { return one->GetFunctionMetadata(name); });
}

Module Module::LoadFromFile(const String& file) {
  return ForTheirs([&] {
    return Module{tain::compat::ForTheirCode(tain::Module::LoadFromFile(std::string_view(file)))};
  });
}
void Module::VisitContextSymbols(const TypedFunction<void(String, void*)>& visit) {
  ForTheirs([&] {
    std::vector<std::pair<std::string, void*>> symbols;
    const auto add = [](const char* name, void* address, void* context) {
      static_cast<decltype(symbols)*>(context)->emplace_back(name, address);
    };
    if (TainListContextSymbols(add, &symbols) != 0) throw tain::Error::MoveFromRaised();
    for (const auto& [name, address] : symbols) visit.function(name, address);
  });
}

}  // namespace tvm::ffi
