// SPDX-License-Identifier: Apache-2.0
// Makes libtain's symbols visible to libraries that were linked without libtain; see core_scope.h.
//
// The import system loads tain._core, and libtain with it, with local symbols (RTLD_LOCAL). This
// file puts libtain_names (src/core_names) into the global scope. That library defines libtain's
// symbols and depends on libc only, so neither _core, which contains nanobind, nor the C++ standard
// library becomes global. On systems without indirect functions, libtain itself is put into the
// global scope, together with the libraries that it depends on.
#include "base/core_scope.h"

#include <string>

#include "base/py.h"

#if defined(__linux__)
#include <dlfcn.h>
#endif

namespace tain::bindings {

#if defined(__linux__)
namespace {

/// Returns the file of the library that contains a function.
std::string FileOf(const void* function) {
  Dl_info info{};
  return dladdr(function, &info) == 0 ? std::string() : std::string(info.dli_fname);
}

/// Opens libtain_names, which lies beside the bridge, and passes it libtain's handle. Returns false
/// if there is no such file.
bool ShareNames(void* core) {
  const std::string bridge = FileOf(reinterpret_cast<const void*>(&ShareCoreNames));
  const std::string path = bridge.substr(0, bridge.rfind('/') + 1) + "lib/libtain_names.so";
  void* names = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (names == nullptr) return false;
  using Fill = size_t(void* (*find)(void*, const char*), void* library);
  auto* fill = reinterpret_cast<Fill*>(dlsym(names, "TainNamesFill"));
  if (fill == nullptr || fill(&dlsym, core) != 0) return false;
  return dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) != nullptr;
}

}  // namespace
#endif

// The handles are never closed, because the bridge uses libtain until the process ends. If libtain
// is part of the program, there is no handle, and its symbols are global already.
void ShareCoreNames() {
#if defined(__linux__)
  const std::string file = FileOf(reinterpret_cast<const void*>(&TainGetVersion));
  void* core = dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (core != nullptr && !ShareNames(core)) {
    dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
  }
  dlerror();
#endif
}

}  // namespace tain::bindings
