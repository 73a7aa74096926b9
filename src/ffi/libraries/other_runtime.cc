// SPDX-License-Identifier: Apache-2.0
// The check for libraries that need the C functions of another runtime; see other_runtime.h.
#include "libraries/other_runtime.h"

#include <vector>

#include "base/elf_file.h"
#include "base/shared_symbols.h"
#include "tain/error.h"

namespace tain::internal {
namespace {

/// Whether the one provider of a name is the library that forwards such names to libtain.
bool AreForwarded(const std::vector<std::string>& providers) {
  return providers.size() == 1 && FilesThatDefine("TainForwardsTVMFFI") == providers;
}

}  // namespace

void RefuseOtherRuntime(const std::string& path, const std::string& shown) {
  for (const NeededSymbol& symbol : NeededSymbols(path, "TVMFFI")) {
    const std::vector<std::string> providers = FilesThatDefine(symbol.name.c_str());
    // The library checks whether it is there; TAIN_EXPORT does so where libtain is not the loader.
    const bool is_exported = symbol.name == "TVMFFIErrorSetRaisedFromCStr";
    if (symbol.is_weak && (providers.empty() || is_exported)) continue;
    if (AreForwarded(providers)) return;  // it has them all
    const std::string provider = providers.empty()
                                     ? "a library that it is linked with provides"
                                     : providers.front() + ", already in this process, provides";
    TAIN_THROW(ImportError) << "cannot load " << shown << ": it needs " << symbol.name << ", which "
                            << provider
                            << ": it belongs to another runtime, so tain would not see what it "
                               "registers and raises. Run it with tain_tvm_ffi (python -m "
                               "tain_tvm_ffi), compile it with tain's headers "
                               "(include/tain_compat), or load it with that runtime";
  }
}

}  // namespace tain::internal
