// SPDX-License-Identifier: Apache-2.0
// The module tain._core: calls the init functions in order.
#include <cstdlib>

#include "api/init.h"
#include "base/bridge_lock.h"
#include "base/core_scope.h"
#include "base/error.h"
#include "base/error_kinds.h"
#include "base/gil.h"
#include "base/given_text.h"
#include "base/single_interpreter.h"
#include "base/state.h"
#include "classes/init.h"
#include "containers/containers.h"
#include "containers/map.h"
#include "describe/signature.h"
#include "graphs/init.h"
#include "objects/gc_candidates.h"
#include "objects/gc_watch.h"
#include "objects/moved.h"
#include "tain/interop/nanobind.h"
#include "tensors/init.h"
#include "values/argument_protocols.h"
#include "values/device_dtype.h"
#include "values/from_python.h"
#include "values/to_python.h"

namespace {

/// The functions that the casters of tain/interop/nanobind.h call, here and in other extensions.
const tain::interop::BridgeApi bridge_api = {
    TAIN_ABI_VERSION_MAJOR, &tain::bindings::OwnedFromPython,
    [](const TainAny* value) { return tain::bindings::ToPython(*value); }};

PyObject* RefuseNew(PyObject* type, PyObject*, PyObject*) {
  const nb::object name = nb::steal(PyObject_GetAttrString(type, "__name__"));
  if (name.is_valid()) PyErr_Format(PyExc_TypeError, "%U.__new__() makes no objects", name.ptr());
  return nullptr;
}

PyMethodDef refuse_new = {"__new__", tain::bindings::MethodPointer(&RefuseNew),
                          METH_VARARGS | METH_KEYWORDS, "Makes no objects: call the class."};

void ForbidNewOf(PyTypeObject* type) {
  type->tp_new = nullptr;  // then object.__new__ refuses it too
  PyType_Modified(type);
}

/// Calling the type of a function, which `type(tain.structural_equal)` is, would make an empty one,
/// whose end crashes: nanobind does not forbid it.
void ForbidNewFunctions(const tain::bindings::CoreModule& m) {
  ForbidNewOf(Py_TYPE(nb::object(m.attr("get_global_func")).ptr()));
}

/// The same for the types of a method and of a bound method.
void ForbidNewMethods(const tain::bindings::CoreModule& m) {
  const nb::object method = m.attr("Device").attr("__dict__")["__repr__"];
  PyTypeObject* type = Py_TYPE(method.ptr());
  const nb::object bound = tain::bindings::Checked(
      type->tp_descr_get(method.ptr(), Py_None, reinterpret_cast<PyObject*>(Py_TYPE(Py_None))));
  ForbidNewOf(type);
  ForbidNewOf(Py_TYPE(bound.ptr()));
}

/// nanobind's __new__ makes an object without constructing its C++ part. The slot tp_new stays,
/// because CPython 3.10 calls it when the class is called.
void ForbidNew(const tain::bindings::CoreModule& m) {
  for (auto [name, value] : nb::cast<nb::dict>(m.attr("__dict__"))) {
    if (!PyType_Check(value.ptr()) || !nb::type_check(value)) continue;
    auto* type = reinterpret_cast<PyTypeObject*>(value.ptr());
    const tain::bindings::Own refuse(PyCFunction_New(&refuse_new, value.ptr()));
    // Set in the dictionary, because an assignment to the class would replace the slot.
    if (!refuse || PyDict_SetItemString(type->tp_dict, "__new__", refuse.get()) != 0) {
      throw nb::python_error();
    }
    PyType_Modified(type);
  }
}

/// Defines what a program may never use, when a name is first missing: half of all the classes and
/// functions of the bridge, whose definition takes a third of the time of `import tain`.
void DefineLater(tain::bindings::CoreModule& m) {
  using namespace tain::bindings;
  DefineDeviceDType(m);
  DefineDevices(m);
  DefineArgumentProtocols(m);
  DefinePickle(m);
  DefineTypeInfo(m);
  DefineBuiltinTypes(m);
  DefineErrorInfo(m);
  DefinePartsView(m);
  DefineRebuildObject(m);
  DefineProcessInfo(m);
  DefineSaving(m);
  DefineStructural(m);
  DefineTypes(m);
  DefineTensors(m);
  DefineViews(m);
  ForbidNew(m);
  ForbidNewMethods(m);
}

/// Defines the rest of the module, whose hooks for missing names are not needed any more. Nothing of
/// another thread or of a destructor runs while they are gone and names are missing: DefineLater runs
/// no Python code, and the garbage collector is off.
void DefineRest(tain::bindings::CoreModule& m) {
  const nb::dict names = nb::borrow<nb::dict>(m.attr("__dict__"));
  if (!names.contains("__getattr__")) return;
  tain::bindings::DefineFixedClasses(m);
  if (!names.contains("__getattr__")) return;  // another thread was faster
  const nb::object hooks[] = {names["__getattr__"], names["__dir__"]};
  // nanobind looks in the module for each name before it defines it.
  for (const char* hook : {"__getattr__", "__dir__"}) nb::del(names[hook]);
  const bool collects = PyGC_Disable() != 0;
  const auto restore = [&] {
    if (collects) PyGC_Enable();
  };
  try {
    DefineLater(m);
  } catch (...) {  // there is no memory: the next use tries again
    restore();
    names["__getattr__"] = hooks[0];
    names["__dir__"] = hooks[1];
    throw;
  }
  restore();
  tain::bindings::RegisterViews(m);
}

tain::bindings::CoreModule FirstModule() {
  return nb::borrow<nb::module_>(tain::bindings::GetState().module);
}

/// The module's __getattr__. The import system asks for names with two underscores, which are there
/// or not from the beginning.
PyObject* FindMissing(PyObject*, PyObject* name) {
  return tain::bindings::GuardedObject([&] {
    nb::object found;
    if (!tain::bindings::TextFrom(name, "tain._core").starts_with("__")) {
      tain::bindings::CoreModule m = FirstModule();
      DefineRest(m);
      const nb::object names = m.attr("__dict__");
      found = nb::steal(tain::bindings::DictValue(names.ptr(), name));
    }
    if (!found.is_valid() && PyErr_Occurred() == nullptr) {
      PyErr_Format(PyExc_AttributeError, "module 'tain._core' has no attribute %R", name);
    }
    return found;
  });
}

/// The module's __dir__.
PyObject* AllNames(PyObject*, PyObject*) {
  return tain::bindings::GuardedObject([] {
    tain::bindings::CoreModule m = FirstModule();
    DefineRest(m);
    return nb::steal(PyDict_Keys(nb::object(m.attr("__dict__")).ptr()));
  });
}

PyMethodDef missing_hooks[] = {
    {"__getattr__", tain::bindings::kLocked<&FindMissing>, METH_O, nullptr},
    {"__dir__", tain::bindings::kLocked<&AllNames>, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

NB_MODULE(_core, module) {
  using namespace tain::bindings;
  CoreModule m = module;
  m.doc() = "The bridge between libtain and Python.";
  CheckProcess();
  InitBridgeLock();
  ShareCoreNames();
  State& state = GetState();
  if (state.module !=
      nullptr) {  // the module was deleted from sys.modules and imported again: keep the classes
    m.attr("__dict__").attr("update")(nb::handle(state.module).attr("__dict__"));
    return;
  }
  // Classes of registered types are never freed, so only tests ask for nanobind's report at exit.
  nb::set_leak_warnings(std::getenv("TAIN_LEAK_WARNINGS") != nullptr);
  tain::interop::BridgeSlot() = &bridge_api;
  m.attr("_bridge_api") = nb::steal(PyCapsule_New(
      const_cast<tain::interop::BridgeApi*>(&bridge_api), "tain._core._bridge_api", nullptr));
  InitGil();
  InitNames();
  TranslateCoreErrors();
  InitErrorKinds(m);
  InitHost();
  InitMoved(m);
  InitSignature(m);
  InitNestedClasses();
  InitClasses(m);
  InitContainers();
  InitArrayImport();
  InitRuledImport();
  InitArrayReturn();
  InitCandidates(m);
  InitGcWatch(m);
  InitErrorFields();
  InitSavingHooks();
  InitDeepCopy(m);
  InitObjectCopy();
  DefineFunctions(m);
  InitPickle(m);
  DefineStrictTypes(m);
  InitNamespaces(m);
  ForbidNew(m);
  ForbidNewFunctions(m);
  if (PyModule_AddFunctions(m.ptr(), missing_hooks) != 0) throw nb::python_error();
  state.module = nb::object(m).release().ptr();
  // The generator of the stub imports the bridge alone, and reads what is defined.
  if (m.attr("__name__").equal(nb::str("_core"))) DefineRest(m);
}
