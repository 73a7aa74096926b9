// SPDX-License-Identifier: Apache-2.0
// Converts devices, data types and opaque pointers between the core and Python.
#include "values/device_dtype.h"

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/state.h"
#include "values/state.h"

namespace tain::bindings {

bool DeviceOrDType(PyObject* object, TainAny* out) noexcept {
  const PyTypeObject* type = Py_TYPE(object);
  if (type != GetValuesState().device_type && type != GetValuesState().dtype_type)
    return false;  // both are final
  *out = TainAny{};
  if (type == GetValuesState().device_type) {
    out->type_index = kTainDevice;
    out->v_device = nb::inst_ptr<Device>(object)->value;
  } else {
    out->type_index = kTainDataType;
    out->v_dtype = nb::inst_ptr<DType>(object)->value;
  }
  return true;
}

PyObject* DeviceOrDTypeToPython(const TainAny& value) noexcept {
  return GuardedObject([&]() -> nb::object {
    return value.type_index == kTainDevice ? DeviceObject(value.v_device)
                                           : DTypeObject(value.v_dtype);
  });
}

namespace {

/// Returns ctypes.c_void_p.
PyObject* VoidPointerClass() {
  PyObject*& cls = GetValuesState().void_pointer;
  if (cls == nullptr) {
    cls = nb::object(nb::module_::import_("ctypes").attr("c_void_p")).release().ptr();
  }
  return cls;
}

}  // namespace

bool IsVoidPointer(PyObject* object) {
  if (GetValuesState().void_pointer == nullptr && !ImportedModule("_ctypes").is_valid()) {
    return false;
  }
  return PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(VoidPointerClass())) != 0;
}

PyObject* OpaquePointer(void* pointer) noexcept {
  if (pointer == nullptr) return Py_NewRef(Py_None);
  return GuardedObject([&]() -> nb::object {
    return nb::handle(VoidPointerClass())(reinterpret_cast<uintptr_t>(pointer));
  });
}

nb::object DeviceObject(DLDevice device) {
  if (GetValuesState().device_type == nullptr) DefineRestOfModule();
  return nb::cast(Device{device});
}

nb::object DTypeObject(DLDataType dtype) {
  if (GetValuesState().dtype_type == nullptr) DefineRestOfModule();
  return nb::cast(DType{dtype});
}

nb::handle DTypeClass() {
  if (GetValuesState().dtype_type == nullptr) DefineRestOfModule();
  return nb::type<DType>();
}

void DefineDeviceDType(CoreModule& m) {
  DefineDevice(m);
  DefineDType(m);
  GetValuesState().device_type = reinterpret_cast<PyTypeObject*>(nb::type<Device>().ptr());
  GetValuesState().dtype_type = reinterpret_cast<PyTypeObject*>(nb::type<DType>().ptr());
}

}  // namespace tain::bindings
