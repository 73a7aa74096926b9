// SPDX-License-Identifier: Apache-2.0
// Garbage collection through C++ objects: what a mirror can reach, found by reflection.
//
// A mirror that owns its object explores the objects that only it keeps alive, by counting
// references over reflected edges, and visits the Python references that those objects hold:
// callbacks, opaque values, exceptions, and mirrors they own. To break a cycle it cuts those Python
// references and nothing else, so a C++ member that promises never to be null keeps its promise.
#pragma once

#include "base/py.h"

namespace tain::bindings {

int InstanceTraverse(PyObject* self, visitproc visit, void* arg);
int InstanceClear(PyObject* self);
/// tp_traverse of Python subclasses: the state of a mirror whose object C++ holds too is kept by
/// C++, not by the mirror, since ownership would flip if Python let go. So it is visited only while
/// the mirror alone keeps the object.
int SubclassTraverse(PyObject* self, visitproc visit, void* arg);
/// Puts SubclassTraverse into a class that Python made.
void AdoptTraverse(PyTypeObject* type) noexcept;

}  // namespace tain::bindings
