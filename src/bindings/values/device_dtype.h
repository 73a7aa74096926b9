// SPDX-License-Identifier: Apache-2.0
// The fixed classes Device (a kind of device and a number) and dtype (the type of the elements of an
// array), and conversions of their objects and of opaque pointers.
#pragma once

#include "base/bridge_lock.h"
#include "base/py.h"

namespace tain::bindings {

/// The C++ part of a tain.Device object.
struct Device {
  DLDevice value;
};
/// The C++ part of a tain.dtype object.
struct DType {
  DLDataType value;
};

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
/// Make tain.Device and tain.dtype: both, each one.
void DefineDeviceDType(CoreModule& m);
void DefineDevice(CoreModule& m);
void DefineDType(CoreModule& m);
/// Makes the functions device(), cpu(), cuda() ...
void DefineDevices(CoreModule& m);

}  // namespace tain::bindings
