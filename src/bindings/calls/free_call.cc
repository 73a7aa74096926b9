// SPDX-License-Identifier: Apache-2.0
// Calls of thread-safe functions without the lock of the bridge; see free_call.h.
#include "calls/free_call.h"

namespace tain::bindings {
#ifdef Py_GIL_DISABLED

bool MayCallFree(const TainObject* function, const TainFunctionInfo* info) noexcept {
  return LeavesLock(info) && TainFunctionReleasesGil(function) == 0 && ConvertsPlainly(info);
}

PyObject* OtherResult(const TainAny& result, PyObject* const* args, Py_ssize_t num_args) noexcept {
  if (result.type_index >= kTainStaticObjectBegin) {
    for (Py_ssize_t i = 0; i < num_args; ++i) {  // methods often return their object
      if (IsWrapper(args[i]) && ReadyObject(args[i]) == result.v_obj) {
        internal::DecRef(result.v_obj);  // the caller holds it, too
        return Py_NewRef(args[i]);
      }
    }
  }
  PyObject* made;
  return TAIN_LIKELY(FreeToPython(result, &made)) ? made : LockedResult(0, result);
}

PyObject* LockedResult(int code, const TainAny& result) noexcept {
  const BridgeLock lock;
  if (code == 0) return ToPython(result);
  SetFromCore();
  return nullptr;
}

#endif
}  // namespace tain::bindings
