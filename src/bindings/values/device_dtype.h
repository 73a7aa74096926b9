// SPDX-License-Identifier: Apache-2.0
// The fixed classes Device and dtype, and opaque pointers.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Whether the object is a Device or a dtype; writes it.
bool DeviceOrDType(PyObject* object, TainAny* out) noexcept;
PyObject* DeviceOrDTypeToPython(const TainAny& value) noexcept;
/// A pointer as ctypes.c_void_p; null is None.
PyObject* OpaquePointer(void* pointer) noexcept;
void InitDeviceDType(nb::module_& m);

}  // namespace tain::bindings
