// SPDX-License-Identifier: Apache-2.0
// Makes Python classes from the core's records. Raw Python types: classes that
// are not known when the bridge is compiled.

#include <string>
#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/given_text.h"
#include "base/hooks.h"
#include "base/type_keys.h"
#include "calls/free_call.h"
#include "calls/function_class.h"
#include "calls/method_descr.h"
#include "calls/state.h"
#include "classes/class_parts.h"
#include "classes/constructor.h"
#include "classes/field_descr.h"
#include "classes/init.h"
#include "classes/overrides.h"
#include "classes/visible_class.h"
#include "containers/containers.h"
#include "objects/gc.h"
#include "objects/instance.h"
#include "objects/replaced_members.h"
#include "tain/internal/box_type.h"
#include "tain/internal/load_wait.h"
#include "tain/internal/type_members.h"
#include "tensors/class_parts.h"
#include "values/container_access.h"

namespace tain::bindings {
namespace {

/// Returns the tp_doc of a class: the author's text.
const char* DocOf(const TainTypeRecord* record) {
  const std::string_view doc = View(record->def.doc);
  return doc.empty() ? nullptr : Forever(doc);
}

/// Whether a field of the type may hold an object that holds references itself.
bool MayCycle(const TainTypeRecord* record) noexcept {
  if (internal::IsBoxType(record->info->type_index)) return true;  // it may refer into another
  for (int32_t i = 0; i < record->num_fields; ++i) {
    const TainFieldDef* field = record->fields[i];
    if (field->kind == kTainFieldAny || field->visit_edges != nullptr) return true;
    if (field->kind != kTainFieldObject) continue;
    if (field->object_type_index == kTainObject || field->object_type_index == kTainFunction ||
        field->object_type_index == record->info->type_index ||
        TainTypeCanReach(field->object_type_index) != 0) {
      return true;
    }
  }
  return false;
}

/// Returns `tain.types.geometry.Point`, from which CPython takes the module and the name.
const char* FullNameOf(std::string_view key) {
  return Forever(ModuleOfKey(key) + "." + std::string(ClassNameOfKey(key)));
}

/// Returns descriptors of the type's own fields and properties, which are never freed.
PyGetSetDef* GetSetOf(const TainTypeRecord* record) {
  const bool frozen = (record->def.flags & kTainTypeFrozen) != 0;
  auto* defs = new std::vector<PyGetSetDef>();
  for (int32_t i = 0; i < record->num_fields; ++i) {
    defs->push_back(FieldDescriptor(record->fields[i], frozen));
  }
  for (int32_t i = 0; i < record->num_properties; ++i) {
    defs->push_back(PropertyDescriptor(record->properties[i]));
  }
  defs->push_back({nullptr, nullptr, nullptr, nullptr, nullptr});
  return defs->data();
}

PyTypeObject* ClassFromSpec(PyType_Spec* spec, PyTypeObject* base) noexcept {
  const Own bases(base == nullptr ? nullptr : PyTuple_Pack(1, reinterpret_cast<PyObject*>(base)));
  if (base != nullptr && !bases) return nullptr;
  PyObject* made = PyType_FromSpecWithBases(spec, bases.get());
  // If there is no memory for the name, CPython 3.11 sets no error.
  if (made == nullptr && !PyErr_Occurred()) PyErr_NoMemory();
  return reinterpret_cast<PyTypeObject*>(made);
}

PyTypeObject* MakeClass(const TainTypeRecord* record, PyTypeObject* parent, bool is_gc) {
  std::vector<PyType_Slot> slots = {Slot(Py_tp_dealloc, &InstanceDealloc),
                                    Slot(Py_tp_new, &InstanceNew),
                                    Slot(Py_tp_init, &InstanceInit),
                                    {Py_tp_getset, GetSetOf(record)}};
  if (const char* doc = DocOf(record)) slots.push_back({Py_tp_doc, const_cast<char*>(doc)});
  if (is_gc) {
    slots.push_back(Slot(Py_tp_traverse, &InstanceTraverse));
    slots.push_back(Slot(Py_tp_clear, kLocked<&InstanceClear>));
  }
  const int32_t index = record->info->type_index;
  AddContainerSlots(index, &slots);
  AddTensorSlots(index, &slots);
  AddValueSlots(record, &slots);
  AddUndescribedSlots(record, parent, &slots);
  slots.push_back({0, nullptr});
  unsigned long flags = Py_TPFLAGS_DEFAULT | ContainerTypeFlags(index);
  // A class that is final in C++ (_type_final) may have Python subclasses, because they keep its
  // type index.
  if ((record->def.flags & kTainTypeFinal) == 0) flags |= Py_TPFLAGS_BASETYPE;
  if (is_gc) flags |= Py_TPFLAGS_HAVE_GC;
  PyType_Spec spec{FullNameOf(View(record->info->type_key)), sizeof(Instance), 0,
                   static_cast<unsigned int>(flags), slots.data()};
  return ClassFromSpec(&spec, parent);
}

PyTypeObject* MakeObjectClass() {
  std::vector<PyType_Slot> slots = ObjectSlots();
  PyType_Spec spec{"tain.Object", sizeof(Instance), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                   slots.data()};
  PyTypeObject* type = ClassFromSpec(&spec, nullptr);
  if (type != nullptr) type->tp_vectorcall = &ConstructVectorcall;
  return type;
}

/// Makes a class that puts a registered ancestor into the MRO: class Derived(GeneratedDerived,
/// Registered).
PyTypeObject* CombineWithRegistered(PyTypeObject* generated, PyTypeObject* registered) {
  nb::dict body = NewDict();
  body["__module__"] = nb::handle(reinterpret_cast<PyObject*>(generated)).attr("__module__");
  body["__qualname__"] = nb::handle(reinterpret_cast<PyObject*>(generated)).attr("__qualname__");
  body["__slots__"] = nb::make_tuple();
  body["__doc__"] = nb::handle(reinterpret_cast<PyObject*>(generated)).attr("__doc__");
  const nb::object made = nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(registered)))(
      nb::handle(reinterpret_cast<PyObject*>(generated)).attr("__name__"),
      nb::make_tuple(nb::handle(reinterpret_cast<PyObject*>(generated)),
                     nb::handle(reinterpret_cast<PyObject*>(registered))),
      body);
  if (!PyType_Check(made.ptr()) ||
      GeneratedBase(reinterpret_cast<PyTypeObject*>(made.ptr())) != generated) {
    ThrowGiven(std::string(registered->tp_name) +
                   ": expected its metaclass to make a subclass of " + generated->tp_name,
               made);
  }
  auto* type = reinterpret_cast<PyTypeObject*>(nb::object(made).release().ptr());
  AdoptSubclass(type);
  return type;
}

/// Sets the error that building a class threw. It replaces AttributeError, which would mean that a
/// namespace does not have the name.
void RestoreBuildError(nb::python_error& error, int32_t type_index) noexcept {
  if (!error.matches(PyExc_AttributeError)) return error.restore();
  try {
    const std::string key(View(TainGetTypeInfo(type_index)->type_key));
    nb::raise_from(error, PyExc_TypeError, "%s: its Python class cannot be made: %S", key.c_str(),
                   error.value().ptr());
  } catch (nb::python_error& made) {
    made.restore();
  }
}

/// Makes the methods and properties of a generated class and of its parents run the code of C++ when
/// Python calls them (direct_call.h).
void CallDirectly(PyTypeObject* generated) {
  for (PyTypeObject* type = generated; type != GetState().object_type; type = type->tp_base) {
    Py_ssize_t at = 0;
    PyObject* name = nullptr;
    PyObject* member = nullptr;
    while (PyDict_Next(type->tp_dict, &at, &name, &member) != 0) {
      if (InfoOfMethod(member) != nullptr) CallMethodDirectly(member);
      if (Py_IS_TYPE(member, &PyGetSetDescr_Type)) CallPropertyDirectly(member);
    }
  }
}

void DefineClass(CoreModule& m, int32_t type_index) {
  PyTypeObject* type = ClassOf(type_index);
  if (type == nullptr) throw nb::python_error();
  m.attr(ContainerName(type_index)) = nb::handle(reinterpret_cast<PyObject*>(type));
}

ClassRecord* BuildNew(int32_t type_index) {
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  if (record == nullptr || type_index < kTainStaticObjectBegin) {
    PyErr_Format(PyExc_TypeError, "type index %d is not registered", type_index);
    return nullptr;
  }
  internal::AwaitLoadOf(type_index);
  if (TainTypeComplete(type_index) != 0) ThrowFromCore();
  ClassRecord made{};
  made.type_index = type_index;
  made.record = record;
  made.constructor = record->constructor;
  made.constructor_info = TainFunctionGetInfo(record->constructor);
  if (type_index == kTainFunction) {
    made.type = made.own = made.generated = GetState().function_type;
    made.is_gc = true;
    return EnterClass(made);
  }
  const ClassRecord* parent = RecordOf(record->request.parent);
  if (parent == nullptr) return nullptr;
  made.fields = internal::AllFieldsOf(*record);
  made.is_gc = parent->is_gc || TainTypeCanReach(type_index) != 0;
  made.may_cycle = parent->may_cycle || IsContainerIndex(type_index) || MayCycle(record);
  made.is_overridden = parent->is_overridden || (record->def.flags & kTainTypeOverridden) != 0;
  made.has_virtual =
      parent->has_virtual || made.is_overridden || HasMethodFlag(record, kTainCallVirtual);
  made.has_final = parent->has_final || HasMethodFlag(record, kTainCallFinal);
  made.is_thread_safe = (record->def.flags & kTainTypeThreadSafe) != 0;
#ifdef Py_GIL_DISABLED
  made.constructs_freely = record->constructor != nullptr &&
                           MayCallFree(record->constructor, made.constructor_info) &&
                           !internal::LocksReceiver(made.constructor_info);
#endif
  made.has_abstract = HasMethodFlag(record, kTainCallAbstract);
  made.generated = MakeClass(record, parent->generated, made.is_gc);
  if (made.generated == nullptr) return nullptr;
  if (IsContainerIndex(type_index)) {
    FinishContainerClass(type_index, made.generated);
  } else {
    // An abstract class may have a constructor, for Python subclasses; tp_new refuses the others.
    const bool is_abstract = (record->def.flags & kTainTypeAbstract) != 0;
    made.generated->tp_vectorcall = is_abstract ? nullptr : &ConstructVectorcall;
  }
  GiveNestedNames(View(record->info->type_key), made.generated);
  AddMembers(made.generated, record);
  if (type_index == kTainTensor) AddExchangeApi(made.generated);
  if (made.is_overridden) CallDirectly(made.generated);
  if (made.has_abstract) MarkAbstract(made.generated, made.generated, record);
  do {  // again if making it ran Python code, which registered another class for the parent
    made.above = parent->type;
    made.type = made.own = OwnClass(made.generated, *parent);
  } while (made.above != parent->type);
  ClassRecord* entered = EnterClass(made);
  if (entered != nullptr && entered->generated != made.generated) {
    Py_DECREF(made.generated);  // building ran Python code, which built the same class
  } else if (entered != nullptr) {
    NeverDies(reinterpret_cast<PyObject*>(made.generated));
    if (entered->has_virtual) WatchMembers(entered);
  }
  if (entered != nullptr) AddNestedClasses(*entered);
  return entered;
}

ClassRecord* BuildClass(int32_t type_index) noexcept {
  try {
    return BuildNew(type_index);
  } catch (nb::python_error& e) {
    RestoreBuildError(e, type_index);
  } catch (...) {
    SetFromException();
  }
  return nullptr;
}

}  // namespace

PyTypeObject* OwnClass(PyTypeObject* generated, const ClassRecord& parent) {
  if (parent.type == parent.generated) return generated;
  return CombineWithRegistered(generated, parent.type);
}

void InitClasses(CoreModule& m) {
  State& state = GetState();
  GetHooks().build_class = &BuildClass;
  InitHostRepr();
  state.object_type = MakeObjectClass();
  if (state.object_type == nullptr) throw nb::python_error();
  NeverDies(reinterpret_cast<PyObject*>(state.object_type));
  ClassRecord root{};
  root.type_index = kTainObject;
  root.type = root.own = root.generated = state.object_type;
  root.record = TainGetTypeRecord(kTainObject);
  if (EnterClass(root) == nullptr) throw nb::python_error();
  state.function_type = MakeFunctionClass();
  GetCallsState().method_type = MakeMethodType();
  if (state.function_type == nullptr || GetCallsState().method_type == nullptr)
    throw nb::python_error();
  DefineClass(m, kTainObject);
  DefineClass(m, kTainFunction);
}

void DefineFixedClasses(CoreModule& m) {
  for (const int32_t type_index :
       {kTainArray, kTainList, kTainMap, kTainDict, kTainShape, kTainTensor}) {
    DefineClass(m, type_index);
  }
}

}  // namespace tain::bindings
