// SPDX-License-Identifier: Apache-2.0
// Static initializers on the stack; see static_initializer.h.
//
// The dynamic loader calls them, so a frame of the loader's below ours says that one runs: what
// else the loader calls (resolvers of indirect functions) does not call us.
#include "base/static_initializer.h"

#include "base/shared_file.h"

#if defined(__linux__)
#include <dlfcn.h>
#include <sys/auxv.h>
#include <unwind.h>
#endif

namespace tain::internal {

#if defined(__linux__)

namespace {

/// How far an initializer may be from us. Frames beyond it are somebody else's.
constexpr int kMaxFrames = 64;

struct Walk {
  const void* loader;       ///< where the dynamic loader lies
  const void* last;         ///< code of the frame before
  const void* initializer;  ///< what the loader called, or null
  int frames;
};

_Unwind_Reason_Code Step(_Unwind_Context* context, void* data) {
  auto* walk = static_cast<Walk*>(data);
  // A return address may be the one after the function's last instruction.
  auto* code = reinterpret_cast<const char*>(_Unwind_GetIP(context)) - 1;
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
  if (base == 0) return "";  // a static program
  Walk walk{reinterpret_cast<const void*>(base), nullptr, nullptr, 0};
  _Unwind_Backtrace(&Step, &walk);
  return walk.initializer == nullptr ? std::string() : FileOfAddress(walk.initializer);
}

#else

std::string LibraryInInitialization() { return ""; }

#endif

}  // namespace tain::internal
