// SPDX-License-Identifier: Apache-2.0
// The members of tain.Module beside those that libtain registers: pickling and `dir`.
#include "classes/class_parts.h"

#include <string>
#include <utility>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "calls/call.h"
#include "objects/class_table.h"
#include "objects/found_names.h"
#include "objects/instance.h"
#include "objects/state.h"
#include "tain/internal/dotted_name.h"
#include "tain/internal/type_builder.h"
#include "tain/internal/type_members.h"

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

nb::object AttributesOf(PyObject* self) {
  const nb::handle base(reinterpret_cast<PyObject*>(&PyBaseObject_Type));
  return base.attr("__dir__")(nb::handle(self));
}

/// Returns the names of the attributes and of the functions.
PyObject* Dir(PyObject* self, PyObject*) {
  return GuardedObject([&]() -> nb::object {
    nb::object names = AttributesOf(self);
    names.attr("extend")(nb::handle(self).attr("get_function_list")());
    return names;
  });
}

/// Returns the key or the name with a last part among what a library registered, sorted by kind; the
/// attribute is "types", "enums", "errors", "functions" or "constants". Invalid if there is none.
nb::object KeyOfName(nb::handle module, const char* attribute, std::string_view name) {
  for (nb::handle key : module.attr(attribute)) {
    if (internal::LastPart(Utf8Of(key)) == name) return nb::borrow(key);
  }
  return {};
}

/// Returns a function of a library's module, else a class, an enum, an exception class or a global
/// function that the library registered.
PyObject* GetRegistered(PyObject* self, PyObject* name) {
  return GuardedObject([&]() -> nb::object {
    PyTypeObject* module_class = ClassOf(kTainModule);
    if (module_class == nullptr) throw nb::python_error();
    nb::object found = nb::steal(PyObject_CallMethod(reinterpret_cast<PyObject*>(module_class),
                                                     "__getattr__", "OO", self, name));
    if (found.is_valid()) return found;
    if (!PyUnicode_Check(name) || !PyErr_ExceptionMatches(PyExc_AttributeError)) {
      throw nb::python_error();
    }
    Own error(TakeRaised());
    const std::string text = Utf8Of(name);
    for (const char* attribute : {"types", "enums", "errors"}) {
      const nb::object key = KeyOfName(self, attribute, text);
      if (key.is_valid()) return nb::module_::import_("tain._core").attr("get_class")(key);
    }
    const nb::object get = nb::module_::import_("tain._core").attr("get_global_func");
    const nb::object key = KeyOfName(self, "functions", text);
    if (key.is_valid()) return get(key);
    const nb::object constant = KeyOfName(self, "constants", text);
    if (constant.is_valid()) {
      return get(Text(std::string(internal::kConstantPrefix) + Utf8Of(constant)))();
    }
    SetRaised(error.release());
    throw nb::python_error();
  });
}

/// The tp_getattro of a library's module: what GetRegistered finds is kept.
PyObject* GetKept(PyObject* self, PyObject* name) noexcept {
  const FoundNames& kept = GetObjectsState().found_names;
  // An object of a Python subclass may have attributes of its own; one that was moved has none.
  if (Py_TYPE(self) != kept.library_type || !IsKeptName(name) || ReadyObject(self) == nullptr) {
    return kept.library_getattro(self, name);
  }
  if (PyObject* found = FindKept(self, name)) return found;
  const Finding finding;
  PyObject* found = kept.library_getattro(self, name);
  if (found != nullptr && _PyType_Lookup(kept.library_type, name) == nullptr) {
    finding.Keep(self, name, found, false);
  }
  return found;
}

/// The method `close` of libtain. What was found as an attribute before is asked of the module again,
/// which refuses.
PyObject* CloseLibrary(PyObject* self, PyObject*) {
  ForgetNamesOf(self);
  const TainTypeRecord* record = RecordOfType(GetObjectsState().found_names.library_type)->record;
  TainObject* function = internal::OwnMethod(*record, "close")->info.method.v_obj;
  return CallCore(function, TainFunctionGetInfo(function), &self, 1, nullptr);
}

/// Returns the names of the attributes, of the functions, and of what the library registered.
PyObject* DirOfLibrary(PyObject* self, PyObject*) {
  return GuardedObject([&]() -> nb::object {
    const bool closed = nb::cast<bool>(nb::handle(self).attr("closed"));
    nb::set names(closed ? AttributesOf(self) : nb::object(Checked(Dir(self, nullptr))));
    for (const char* attribute : {"types", "enums", "errors", "functions", "constants"}) {
      for (nb::handle key : nb::handle(self).attr(attribute)) {
        names.add(Text(internal::LastPart(Utf8Of(key))));
      }
    }
    return nb::list(names);
  });
}

/// Calls the package, which compiles. It is imported only now, because it is not needed otherwise.
PyObject* ExportLibrary(PyObject* self, PyObject* args, PyObject* kwargs) {
  if (ObjectOf(self) == nullptr) return nullptr;
  return CallPackageWith(args, kwargs, "tain.cpp._export", "export_library", nb::handle(self));
}

PyMethodDef module_methods[] = {
    {"__reduce__", kLocked<&Reduce>, METH_NOARGS, "__reduce__($self, /)\n--\n\nPickle."},
    {"__dir__", kLocked<&Dir>, METH_NOARGS, "__dir__($self, /)\n--\n\nAttributes and functions."},
    {"export_library", MethodPointer(kLocked<&ExportLibrary>), METH_VARARGS | METH_KEYWORDS,
     "export_library($self, file)\n--\n\n"
     "Compiles a library with the module and all its imports, for `tain.load_module`."}};

PyMethodDef library_methods[] = {
    {"close", kLocked<&CloseLibrary>, METH_NOARGS,
     "close($self, /)\n--\n\n"
     "Ends the use of the module: it and its functions raise ValueError from then on. Calls that "
     "run "
     "go on, and\nobjects of it stay valid. Raises RuntimeError, and changes nothing, if the "
     "library "
     "registered types or functions."},
    {"__getattr__", kLocked<&GetRegistered>, METH_O,
     "__getattr__($self, name, /)\n--\n\nA function, or what the library registered."},
    {"__dir__", kLocked<&DirOfLibrary>, METH_NOARGS,
     "__dir__($self, /)\n--\n\nAttributes, functions, and what the library registered."}};

}  // namespace

void AddModuleMethods(PyTypeObject* type, const TainTypeRecord* record) {
  if (record->info->type_index == kTainModule) AddMethods(type, module_methods);
  if (View(record->info->type_key) == "ffi.LibraryModule") {
    AddMethods(type, library_methods);
    FoundNames& kept = GetObjectsState().found_names;
    kept.library_getattro = std::exchange(type->tp_getattro, &GetKept);
    kept.library_type = type;
  }
}

}  // namespace tain::bindings
