// SPDX-License-Identifier: Apache-2.0
// Devices, data types and opaque pointers on their way between the core and Python.
#include "values/device_dtype.h"

#include "base/error.h"
#include "values/device.h"
#include "values/dtype.h"

namespace tain::bindings {
namespace {

/// The fixed classes, to tell them by one comparison. Kept for the life of the process.
struct FixedClasses {
  PyTypeObject* device = nullptr;
  PyTypeObject* dtype = nullptr;
  PyObject* void_pointer = nullptr;  ///< ctypes.c_void_p once it was needed
};
FixedClasses classes;

}  // namespace

bool DeviceOrDType(PyObject* object, TainAny* out) noexcept {
  const PyTypeObject* type = Py_TYPE(object);
  if (type != classes.device && type != classes.dtype) return false;  // both are final
  *out = TainAny{};
  if (type == classes.device) {
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
    if (value.type_index == kTainDevice) return nb::cast(Device{value.v_device});
    return nb::cast(DType{value.v_dtype});
  });
}

PyObject* OpaquePointer(void* pointer) noexcept {
  if (pointer == nullptr) return Py_NewRef(Py_None);
  return GuardedObject([&]() -> nb::object {
    if (classes.void_pointer == nullptr) {
      classes.void_pointer =
          nb::object(nb::module_::import_("ctypes").attr("c_void_p")).release().ptr();
    }
    return nb::handle(classes.void_pointer)(reinterpret_cast<uintptr_t>(pointer));
  });
}

void InitDeviceDType(nb::module_& m) {
  InitDevice(m);
  InitDType(m);
  classes.device = reinterpret_cast<PyTypeObject*>(nb::type<Device>().ptr());
  classes.dtype = reinterpret_cast<PyTypeObject*>(nb::type<DType>().ptr());
}

}  // namespace tain::bindings
