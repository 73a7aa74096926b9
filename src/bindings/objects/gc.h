// SPDX-License-Identifier: Apache-2.0
// Garbage collection through C++ objects: finds by reflection what a wrapper can reach.
//
// A wrapper that owns its object finds the objects that only this object keeps alive, by counting
// references along reflected edges. It visits the Python references that those objects hold:
// callbacks, opaque values, exceptions, and the wrappers that they own. To break a cycle, only
// those Python references are cut, so C++ members that must not be null stay valid.
#pragma once

#include "base/py.h"

namespace tain::bindings {

int InstanceTraverse(PyObject* self, visitproc visit, void* arg);
int InstanceClear(PyObject* self);
/// The tp_traverse of Python subclasses. If C++ also holds the object, the wrapper's state is kept
/// alive by C++, because the object would own the wrapper as soon as Python dropped it. So the
/// state is visited only if the wrapper alone keeps the object alive.
int SubclassTraverse(PyObject* self, visitproc visit, void* arg);
/// Sets SubclassTraverse in a class that Python made, before it gets SubclassDealloc.
void AdoptTraverse(PyTypeObject* type) noexcept;

}  // namespace tain::bindings
