// SPDX-License-Identifier: Apache-2.0
// The protocols of dataclasses, copy.replace, rich, IPython and Jupyter. The Python module
// tain._protocols implements them; it is imported when one of them is first used.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// The protocol methods of every registered object; the last entry is null.
extern PyMethodDef protocol_methods[];

/// Returns a descriptor that computes a class attribute by calling `get(descriptor, instance,
/// class)`. It is made once.
nb::handle MakeClassAttribute(const char* type_name, PyMethodDef* get);
/// Gives a generated class the class attributes of the protocols.
void AddProtocols(PyTypeObject* type, int32_t type_index);

/// Whether a call with these keywords comes from dataclasses.replace, which calls the class of an
/// object with the values of its fields. For objects that this would not copy,
/// `__dataclass_fields__` has one more entry, whose value is the object. So the class gets the
/// object as the last keyword, and copies it.
bool IsReplacing(PyObject* kwnames) noexcept;
/// Makes the copy in such a call of the class `type`; null with an error set.
PyObject* CallReplaced(PyTypeObject* type, PyObject* const* args, size_t nargsf,
                       PyObject* kwnames) noexcept;
/// The attribute of tain.Object that has the name of that entry.
extern PyGetSetDef replaced_getter;

}  // namespace tain::bindings
