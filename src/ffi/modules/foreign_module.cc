// SPDX-License-Identifier: Apache-2.0
// The adapter of modules of other libraries, and the table of what they can be asked.
#include "modules/foreign_module.h"

#include <atomic>

#include "base/guard.h"
#include "tain/c_api_host.h"
#include "tain/internal/object_traits.h"
#include "tain/reflection/object_def.h"

namespace tain::internal {
namespace {

constinit std::atomic<const TainModuleOperations*> operations{nullptr};

/// Asks a module of another library. Throws what it throws; TypeError if nothing is known of it.
Any AskForeign(TainObject* module, TainModuleOperation what, const TainAny* args, int32_t count) {
  const TainModuleOperations* table = operations.load(std::memory_order_acquire);
  if (table == nullptr) {
    TAIN_THROW(TypeError) << "expected ffi.Module, got a module of another library, of which tain "
                             "knows nothing: run the program with tain_tvm_ffi";
  }
  TainAny result{};
  ThrowIfFailed(table->call(module, what, args, count, &result));
  return Any::Steal(result);
}

}  // namespace

template <class... A>
Any ForeignModuleObj::Ask(TainModuleOperation what, const A&... args) const {
  const AnyView views[] = {AnyView(args)..., AnyView()};
  return AskForeign(module(), what, reinterpret_cast<const TainAny*>(views), sizeof...(A));
}

String ForeignModuleObj::kind_impl() const { return Ask(kTainModuleKind).cast<String>(); }
int64_t ForeignModuleObj::get_property_mask_impl() const {
  return Ask(kTainModulePropertyMask).cast<int64_t>();
}
Function ForeignModuleObj::get_function_impl(const String& name) {
  return Ask(kTainModuleGetFunction, name).cast<Function>();
}
bool ForeignModuleObj::implements_function_impl(const String& name) {
  return Ask(kTainModuleImplementsFunction, name).cast<bool>();
}
Optional<String> ForeignModuleObj::get_function_doc_impl(const String& name) {
  return Ask(kTainModuleFunctionDoc, name).cast<Optional<String>>();
}
Optional<String> ForeignModuleObj::get_function_metadata_impl(const String& name) {
  return Ask(kTainModuleFunctionMetadata, name).cast<Optional<String>>();
}
void ForeignModuleObj::write_to_file_impl(const String& file, const String& format) const {
  Ask(kTainModuleWriteToFile, file, format);
}
Array<String> ForeignModuleObj::get_write_formats_impl() const {
  return Ask(kTainModuleWriteFormats).cast<Array<String>>();
}
tain::Bytes ForeignModuleObj::save_to_bytes_impl() const {
  return Ask(kTainModuleSaveToBytes).cast<tain::Bytes>();
}
String ForeignModuleObj::get_source_impl(const String& format) const {
  return Ask(kTainModuleSource, format).cast<String>();
}
Array<Ref<ModuleObj>> ForeignModuleObj::Imports() const {
  const Any imports = Ask(kTainModuleImports);
  if (imports.type_index() == kTainNone) return {};
  return imports.cast<Array<Ref<ModuleObj>>>();
}
void ForeignModuleObj::Import(const Module& other) { Ask(kTainModuleImport, other); }
void ForeignModuleObj::ClearImports() { Ask(kTainModuleClearImports); }

ForeignModuleObj* AsForeign(ModuleObj* module) noexcept {
  return module->type_index() == ForeignModuleObj::RuntimeTypeIndex()
             ? static_cast<ForeignModuleObj*>(module)
             : nullptr;
}

TainObject* LookUpInForeign(TainObject* module, const char* name) {
  const String text(name);
  const AnyView view(text);
  const Any found =
      AskForeign(module, kTainModuleLookUp, reinterpret_cast<const TainAny*>(&view), 1);
  return RefAccess::Header(found.cast<Function>());  // the module owns it, too
}

bool AdaptsModules() noexcept { return operations.load(std::memory_order_acquire) != nullptr; }

ObjectPtr<Object> AdaptModule(TainObject* module) noexcept {
  const TainModuleOperations* table = operations.load(std::memory_order_acquire);
  if (table == nullptr) return nullptr;
  if (TainObject* own = table->undress(module)) return RefAccess::Share<Object>(own);
  try {
    return ObjectPtr<Object>(make_object<ForeignModuleObj>(RefAccess::Share<Object>(module)));
  } catch (...) {
    return nullptr;  // no memory
  }
}

TainObject* RestoredModule(TainObject* module) noexcept {
  if (module == nullptr || module->type_index != ForeignModuleObj::RuntimeTypeIndex()) {
    return module;
  }
  return static_cast<ForeignModuleObj*>(ObjectAccess::FromHeader(module))->module();
}

}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainSetModuleOperations(const TainModuleOperations* table) noexcept {
  return Guard([&] {
    NotNull(table, "TainSetModuleOperations", "a table");
    const TainModuleOperations* none = nullptr;
    if (!operations.compare_exchange_strong(none, table) && none != table) {
      TAIN_THROW(RuntimeError) << "TainSetModuleOperations: this process has others already";
    }
  });
}

extern "C" const TainModuleOperations* TainGetModuleOperations(void) noexcept {
  return operations.load(std::memory_order_acquire);
}

TAIN_REGISTER {
  tain::reflection::ObjectDef<ForeignModuleObj>("A module that another library made.",
                                                tain::thread_safe());
}
