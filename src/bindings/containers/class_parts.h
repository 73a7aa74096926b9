// SPDX-License-Identifier: Apache-2.0
// What the files of this folder give to the classes of containers; the file of each name defines it.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// The common slots and methods of Array, List and Shape: seq.cc.
void AddSeqMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods);
/// The buffer slots of Array, __bytes__ and __array__: buffer.cc.
void AddBufferMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods);
/// What changes a List: list.cc, sort.cc.
void AddListMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods);
PyObject* ListSort(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);
/// The common slots and methods of Map and Dict, which read: map.cc.
void AddMapMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods);
/// What changes a Dict: dict.cc.
void AddDictMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods);
/// __copy__, __deepcopy__ and __reduce__: copy.cc.
void AddCopyMethods(std::vector<PyMethodDef>* methods);
/// Returns a new List or Dict of the same elements; null with an error set, also if `source` is null.
PyObject* CopyMutable(const TainObject* source) noexcept;
/// tp_new, tp_init and the docstring, which contains the signature: build.cc.
void AddBuildSlots(int32_t type_index, std::vector<PyType_Slot>* slots);
/// The tp_vectorcall of a container's generated class.
PyObject* ContainerVectorcall(PyObject* cls, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames);
/// Registers the hash and equality of opaque values and callbacks, as keys of Map and Dict, with the
/// core; throws nb::python_error: keys.cc.
void InitKeys();

}  // namespace tain::bindings
