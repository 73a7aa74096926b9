// SPDX-License-Identifier: Apache-2.0
// Constructors of containers: Array(iterable), List(iterable), Shape(iterable), Map(...),
// Dict(...).
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Appends tp_new, tp_init and the docstring, which contains the signature.
void AddBuildSlots(int32_t type_index, std::vector<PyType_Slot>* slots);
/// The tp_vectorcall of a container's generated class.
PyObject* ContainerVectorcall(PyObject* cls, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames);

}  // namespace tain::bindings
