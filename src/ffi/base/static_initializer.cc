// SPDX-License-Identifier: Apache-2.0
// Finds a running static initializer on the stack.
//
// The dynamic loader calls static initializers, so one is running if the stack has a frame of the
// loader. The loader's other callees (resolvers of indirect functions) do not call libtain.
#include "base/shared_file.h"

#if defined(__linux__)
#include <dlfcn.h>
#include <sys/auxv.h>
#include <unwind.h>
#endif

namespace tain::internal {

#if defined(__linux__)

namespace {

/// The maximal distance of the initializer's frame.
constexpr int kMaxFrames = 64;

struct Walk {
  const void* loader;       ///< the base address of the dynamic loader
  const void* last;         ///< an address in the function of the previous frame
  const void* initializer;  ///< an address in the initializer, or null
  int frames;
};

_Unwind_Reason_Code Step(_Unwind_Context* context, void* data) {
  auto* walk = static_cast<Walk*>(data);
  // A return address may be just after the function's last instruction.
  auto* code = reinterpret_cast<const void*>(_Unwind_GetIP(context) - 1);
  Dl_info info{};
  if (dladdr(code, &info) != 0 && info.dli_fbase == walk->loader) {
    walk->initializer = walk->last;
    return _URC_END_OF_STACK;
  }
  walk->last = code;
  return ++walk->frames == kMaxFrames ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

std::string LibraryInInitialization() {
  const unsigned long base = getauxval(AT_BASE);
  if (base == 0) return "";  // the program is linked statically
  Walk walk{reinterpret_cast<const void*>(base), nullptr, nullptr, 0};
  _Unwind_Backtrace(&Step, &walk);
  return walk.initializer == nullptr ? std::string() : FileOfAddress(walk.initializer);
}

#else

std::string LibraryInInitialization() { return ""; }

#endif

}  // namespace tain::internal
