// SPDX-License-Identifier: Apache-2.0
// The lock of the bridge; see bridge_lock.h.
#include "base/bridge_lock.h"

namespace tain::bindings {
#ifdef Py_GIL_DISABLED

void InitBridgeLock() {
  if (GetState().lock == nullptr) GetState().lock = Checked(PyList_New(0)).release().ptr();
}

#endif
}  // namespace tain::bindings
