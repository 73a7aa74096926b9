// SPDX-License-Identifier: Apache-2.0
// What the files of this folder give to classes; the file of each name defines it.
#pragma once

#include <vector>

#include "objects/class_table.h"

namespace tain::bindings {

/// Returns the slots of tain.Object; class_factory makes the type: object_class.cc.
std::vector<PyType_Slot> ObjectSlots();
/// A method of tain.Object: init_handle.cc.
PyObject* InitHandleByConstructor(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                                  PyObject* kwnames);
/// Adds the members to a new class; throws nb::python_error: class_members.cc.
void AddMembers(PyTypeObject* type, const TainTypeRecord* record);
/// Adds the methods to the generated class if it is that of ffi.Module: module_class.cc.
void AddModuleMethods(PyTypeObject* type, const TainTypeRecord* record);
/// Returns the getset definition of a property: property_descr.cc.
PyGetSetDef PropertyDescriptor(const TainPropertyDef* property);
/// Makes accesses of a property reach the code of C++ (direct_call.h). Leaves other descriptors.
void CallPropertyDirectly(PyObject* descr) noexcept;
/// Appends the slots for the type's flags; none for types that are compared by identity: value_ops.cc.
void AddValueSlots(const TainTypeRecord* record, std::vector<PyType_Slot>* slots);
/// Whether a C++ type has a class without members, for lack of an ObjectDef: undescribed.cc.
bool IsUndescribed(const TainTypeRecord* record) noexcept;
/// Adds the slot that looks attributes up: for an undescribed class, one whose error gives the
/// reason; for a described class with an undescribed parent, CPython's.
void AddUndescribedSlots(const TainTypeRecord* record, const PyTypeObject* parent,
                         std::vector<PyType_Slot>* slots);
/// Returns the class of a key if the user registers none: the generated class, or a child of it
/// that also has the class of the parent key in its MRO. (CPython cannot make that class a base of
/// the generated one, because its instances have more memory, a `__dict__`.) The class is never
/// freed. Throws nb::python_error: class_factory.cc.
PyTypeObject* OwnClass(PyTypeObject* generated, const ClassRecord& parent);
/// Adds the attributes that stand for the nested classes and enums of a new class: nested_classes.cc.
void AddNestedClasses(const ClassRecord& outer);
/// Adds those that have been registered since to the classes that were made before.
void UpdateNestedClasses();
/// Prepares a Python subclass before its first instance exists; -1 with TypeError set if its bases are unrelated or it overrides a
/// final method: subclass.cc.
int AdmitSubclass(PyTypeObject* type) noexcept;
/// Gives Python subclasses tain's tp_dealloc: the class and every class between it and the
/// generated one. Throws std::bad_alloc, and has changed nothing then.
void AdoptSubclass(PyTypeObject* type);

}  // namespace tain::bindings
