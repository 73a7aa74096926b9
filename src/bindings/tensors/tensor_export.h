// SPDX-License-Identifier: Apache-2.0
// The ways in which tain.Tensor offers its memory: DLPack and the buffer protocol.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

void AddExportMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods);
/// Sets `__dlpack_c_exchange_api__`; throws nb::python_error.
void AddExchangeApi(PyTypeObject* type);

}  // namespace tain::bindings
