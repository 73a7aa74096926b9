// SPDX-License-Identifier: Apache-2.0
// What the module initializes of this folder; the file of each name defines it.
#pragma once

#include "base/bridge_lock.h"
#include "base/py.h"

namespace tain::bindings {

/// Makes tain.Object and tain.Function. Afterwards classes can be made on demand. Throws
/// nb::python_error: class_factory.cc.
void InitClasses(CoreModule& m);
/// Makes the classes of containers and tensors, if they are not made yet; it runs Python code. Throws
/// nb::python_error.
void DefineFixedClasses(CoreModule& m);
/// The attributes that stand for nested classes: nested_classes.cc.
void InitNestedClasses();
/// The repr of Python classes and callables, for the core: host_repr.cc.
void InitHostRepr();
/// Gives tain.Object `__copy__` and `__deepcopy__`; call it when the class exists: object_copy.cc.
void InitObjectCopy();
/// Teaches pickle the functions of the module, of which there is one at least: pickle.cc.
void InitPickle(const CoreModule& m);
void DefinePickle(CoreModule& m);
/// Types and enums that Python defines, the functions that tain.py_class calls: define_type.cc.
void DefineTypes(CoreModule& m);

}  // namespace tain::bindings
