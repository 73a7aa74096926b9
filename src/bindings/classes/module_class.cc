// SPDX-License-Identifier: Apache-2.0
// What tain.Module has beside the members that libtain registers; see module_class.h.
#include "classes/module_class.h"

#include "base/error.h"
#include "objects/instance.h"

namespace tain::bindings {
namespace {

/// Returns `(load, (bytes,))`: a module is pickled with its imports, as its loaders read them.
PyObject* Reduce(PyObject* self, PyObject*) {
  return GuardedObject([&]() -> nb::object {
    const nb::object get = nb::module_::import_("tain._core").attr("get_global_func");
    const nb::object saved = get("ffi.ModuleSaveTree")(nb::handle(self));
    return nb::make_tuple(get("ffi.ModuleLoadFromTree"), nb::make_tuple(saved));
  });
}

/// Returns the names of the attributes and of the functions.
PyObject* Dir(PyObject* self, PyObject*) {
  return GuardedObject([&]() -> nb::object {
    const nb::handle base(reinterpret_cast<PyObject*>(&PyBaseObject_Type));
    nb::object names = base.attr("__dir__")(nb::handle(self));
    names.attr("extend")(nb::handle(self).attr("get_function_list")());
    return names;
  });
}

/// Calls the package, which compiles. It is imported only now, because it is not needed otherwise.
PyObject* ExportLibrary(PyObject* self, PyObject* args, PyObject* kwargs) {
  return GuardedObject([&]() -> nb::object {
    if (ObjectOf(self) == nullptr) throw nb::python_error();
    const nb::object run = nb::module_::import_("tain.cpp._export").attr("export_library");
    const nb::dict options = kwargs == nullptr ? NewDict() : nb::borrow<nb::dict>(kwargs);
    return run(nb::handle(self), *nb::borrow<nb::args>(args), **options);
  });
}

PyMethodDef module_methods[] = {
    {"__reduce__", &Reduce, METH_NOARGS, "__reduce__($self, /)\n--\n\nPickle."},
    {"__dir__", &Dir, METH_NOARGS, "__dir__($self, /)\n--\n\nAttributes and functions."},
    {"export_library", MethodPointer(&ExportLibrary), METH_VARARGS | METH_KEYWORDS,
     "export_library($self, file)\n--\n\n"
     "Compiles a library with the module and all its imports, for `tain.load_module`."}};

}  // namespace

void AddModuleMethods(PyTypeObject* type, const TainTypeRecord* record) {
  if (record->info->type_index == kTainModule) AddMethods(type, module_methods);
}

}  // namespace tain::bindings
