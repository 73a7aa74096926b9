// SPDX-License-Identifier: Apache-2.0
// Who in the process sees libtain's names; see core_scope.h.
//
// The import system loads tain._core with names of its own (RTLD_LOCAL), and libtain with it. What
// is put into the global scope here is libtain_names (src/core_names), which offers libtain's names
// and needs nothing but libc: neither _core, with nanobind in it, nor the standard library gets
// there. Where the system has no indirect functions it is libtain itself, which takes the system's
// libraries that it needs along.
#include "base/core_scope.h"

#include <string>

#include "base/py.h"

#if defined(__linux__)
#include <dlfcn.h>
#endif

namespace tain::bindings {

#if defined(__linux__)
namespace {

/// The file of the library that a function of it is in.
std::string FileOf(const void* function) {
  Dl_info info{};
  return dladdr(function, &info) == 0 ? std::string() : std::string(info.dli_fname);
}

/// Opens libtain_names beside the bridge and gives it libtain's addresses; false without it.
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

// The handles are kept for ever: the bridge uses libtain until the process ends. Where libtain is
// part of the program itself it has no handle, and its names are global already.
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
