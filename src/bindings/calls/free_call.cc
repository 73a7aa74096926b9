// SPDX-License-Identifier: Apache-2.0
// Calls of thread-safe functions without the lock of the bridge; see free_call.h.
#include "calls/free_call.h"

namespace tain::bindings {
#ifdef Py_GIL_DISABLED

bool MayCallFree(const TainObject* function, const TainFunctionInfo* info) noexcept {
  return LeavesLock(info) && TainFunctionReleasesGil(function) == 0 && ConvertsPlainly(info);
}

PyObject* LockedResult(int code, const TainAny& result) noexcept {
  const BridgeLock lock;
  if (code == 0) return ToPython(result);
  SetFromCore();
  return nullptr;
}

#endif
}  // namespace tain::bindings
