// SPDX-License-Identifier: Apache-2.0
// The functions of the binary contract that do more than libtain's function of the same name, and the
// mark by which libtain knows this library.
#include "exception.h"
#include "module_abi.h"
#include "tain/c_api.h"
#include "tain/c_api_host.h"
#include "tain/c_api_registry.h"

namespace tain::compat {
namespace {

/// Whether a function of tain's returns modules, which code of others knows by another object.
bool ReturnsModule(const TainObject* function) noexcept {
  if (TainFunctionIsForeign(function) != 0) return false;  // the info of these needs a lock
  const TainFunctionInfo* info = TainFunctionGetInfo(function);
  if (info == nullptr) return false;
  const std::string_view type(info->return_type.data, info->return_type.size);
  return type == "ffi.Module" || type == "ffi.Module | None";
}

/// Returns a function whose modules are those that code of others knows.
Function WithTheirModules(const Function& function) {
  return Function::FromPacked([function](Args args, Any* result) {
    const auto module = function.CallPacked(args).cast<Module>();
    if (module.defined()) *result = ForTheirCode(module);
  });
}

}  // namespace
}  // namespace tain::compat

/// A library that needs names of the contract is loaded if they come from a library with this symbol.
extern "C" TAIN_DLL_EXPORT const char TainForwardsTVMFFI = 1;

extern "C" TAIN_DLL_EXPORT int TVMFFIDataTypeFromString(const TainByteArray* text,
                                                        DLDataType* out) noexcept {
  // The empty text is the type of no value, as `void` is.
  static constexpr TainByteArray kVoid{"void", 4};
  return TainDataTypeFromString(text != nullptr && text->size == 0 ? &kVoid : text, out);
}

extern "C" TAIN_DLL_EXPORT int TVMFFIEnvCheckSignals() noexcept { return TainCheckSignals(); }

/// Another runtime learns from Python's package how to look for signals. libtain's host looks itself.
extern "C" TAIN_DLL_EXPORT int TVMFFIEnvRegisterCAPI(const char* name, void*) noexcept {
  if (name != nullptr) return 0;
  TainErrorSetRaisedFromCStr("TypeError", "TVMFFIEnvRegisterCAPI: expected a name, got null");
  return -1;
}

extern "C" TAIN_DLL_EXPORT int TVMFFIFunctionGetGlobal(const TainByteArray* name,
                                                       TainObject** out) noexcept {
  if (const int code = TainFunctionGetGlobal(name, out); code != 0) return code;
  if (*out == nullptr || !tain::compat::ReturnsModule(*out)) return 0;
  return tain::compat::Guard([&] {
    const auto function =
        tain::Any::Steal(tain::internal::ViewOfObject(*out)).cast<tain::Function>();
    *out = tain::Any(tain::compat::WithTheirModules(function)).Release().v_obj;
  });
}
