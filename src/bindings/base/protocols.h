// SPDX-License-Identifier: Apache-2.0
// The protocols of dataclasses, copy.replace, rich, IPython and Jupyter. The Python module
// tain._protocols implements them; it is imported when one of them is first used.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// The protocol methods of every registered object; the last entry is null.
extern PyMethodDef protocol_methods[];

/// Returns a descriptor that computes a class attribute by calling `get(descriptor, instance,
/// class)`. It is made once and kept in `*made`.
nb::handle MakeClassAttribute(const char* type_name, PyMethodDef* get, PyObject** made);
/// Gives a generated class the class attributes of the protocols.
void AddProtocols(PyTypeObject* type, int32_t type_index);

}  // namespace tain::bindings
