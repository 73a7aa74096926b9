// SPDX-License-Identifier: Apache-2.0
// What dataclasses, copy.replace, rich, IPython and Jupyter look for in a class. The work is done
// in Python, in tain._protocols, which is imported by the first who asks.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Methods of every registered object; ends with a null entry.
extern PyMethodDef protocol_methods[];

/// An attribute that a class computes: `get` is called as get(descriptor, instance, class).
nb::object MakeClassAttribute(const char* type_name, PyMethodDef* get);
/// Gives a generated class what the protocols read of classes.
void AddProtocols(PyTypeObject* type, int32_t type_index);

}  // namespace tain::bindings
