// SPDX-License-Identifier: Apache-2.0
// The class tain.Device: the kind of a device and its number.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// What an instance of tain.Device holds.
struct Device {
  DLDevice value;
};

/// Makes tain.Device and the functions device(), cpu(), cuda() ...
void InitDevice(nb::module_& m);

}  // namespace tain::bindings
