// SPDX-License-Identifier: Apache-2.0
// The class tain.Device: a kind of device and a number.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// The C++ part of a tain.Device object.
struct Device {
  DLDevice value;
};

/// Makes tain.Device.
void DefineDevice(nb::module_& m);
/// Makes the functions device(), cpu(), cuda() ...
void DefineDevices(nb::module_& m);

}  // namespace tain::bindings
