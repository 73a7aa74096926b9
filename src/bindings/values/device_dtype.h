// SPDX-License-Identifier: Apache-2.0
// Converts objects of the fixed classes Device and dtype, and opaque pointers.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// If the object is a Device or a dtype, writes its value and returns true.
bool DeviceOrDType(PyObject* object, TainAny* out) noexcept;
PyObject* DeviceOrDTypeToPython(const TainAny& value) noexcept;
/// Returns a pointer as ctypes.c_void_p; null becomes None.
PyObject* OpaquePointer(void* pointer) noexcept;
/// Whether an object is an instance of ctypes.c_void_p. Throws if ctypes cannot be imported.
bool IsVoidPointer(PyObject* object);
/// Return an object of tain.Device or of tain.dtype. Throw nb::python_error.
nb::object DeviceObject(DLDevice device);
nb::object DTypeObject(DLDataType dtype);
/// Returns the class tain.dtype. Throws nb::python_error.
nb::handle DTypeClass();
void DefineDeviceDType(nb::module_& m);

}  // namespace tain::bindings
