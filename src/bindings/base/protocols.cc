// SPDX-License-Identifier: Apache-2.0
// Protocols that are written in Python; see protocols.h.
#include "base/protocols.h"

#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/recursion.h"
#include "base/state.h"

namespace tain::bindings {
namespace {

/// Calls tain._protocols.<name>(first, *args, **keywords).
PyObject* CallProtocol(const char* name, PyObject* first, PyObject* const* args = nullptr,
                       Py_ssize_t nargs = 0, PyObject* kwnames = nullptr) noexcept {
  const Recursion level(" in a protocol");  // printers recurse through this function
  if (!level) return nullptr;
  const Own module(PyImport_ImportModule("tain._protocols"));
  const Own function(module ? PyObject_GetAttrString(module.get(), name) : nullptr);
  if (!function) return nullptr;
  const Py_ssize_t total = nargs + (kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames));
  return Guarded<PyObject*>(nullptr, [&] {
    std::vector<PyObject*> all = {first};
    all.insert(all.end(), args, args + total);
    return PyObject_Vectorcall(function.get(), all.data(), static_cast<size_t>(nargs + 1), kwnames);
  });
}

PyObject* ReplaceFields(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                        PyObject* kwnames) {
  return CallProtocol("replace", self, args, nargs, kwnames);
}
PyObject* RichRepr(PyObject* self, PyObject*) { return CallProtocol("rich_repr", self); }
PyObject* ReprPretty(PyObject* self, PyObject* const* args, Py_ssize_t nargs) {
  return CallProtocol("repr_pretty", self, args, nargs);
}
PyObject* ReprHtml(PyObject* self, PyObject*) { return CallProtocol("repr_html", self); }
PyObject* DaskToken(PyObject* self, PyObject*) { return CallProtocol("dask_token", self); }
PyObject* KeyCompletions(PyObject* self, PyObject*) {
  return CallProtocol("key_completions", self);
}

/// Returns the class argument of __get__; null with an error set.
PyObject* ClassAsked(PyObject* const* args, Py_ssize_t nargs) noexcept {
  PyObject* cls = nargs > 2 && args[2] != Py_None ? args[2] : nullptr;
  if (cls == nullptr && nargs > 1) cls = reinterpret_cast<PyObject*>(Py_TYPE(args[1]));
  if (cls == nullptr) PyErr_SetString(PyExc_TypeError, "__get__(instance, owner) needs a class");
  return cls;
}
PyObject* GetFields(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  if (nargs > 1 && args[1] != Py_None) return CallProtocol("dataclass_fields_of", args[1]);
  PyObject* cls = ClassAsked(args, nargs);
  return cls == nullptr ? nullptr : CallProtocol("dataclass_fields", cls);
}
PyObject* GetParams(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  PyObject* cls = ClassAsked(args, nargs);
  return cls == nullptr ? nullptr : CallProtocol("dataclass_params", cls);
}

PyMethodDef get_fields = {"__get__", MethodPointer(kLocked<&GetFields>), METH_FASTCALL,
                          "Fields for dataclasses."};
PyMethodDef get_params = {"__get__", MethodPointer(kLocked<&GetParams>), METH_FASTCALL,
                          "Flags for dataclasses."};
PyMethodDef key_completions[] = {
    {"_ipython_key_completions_", kLocked<&KeyCompletions>, METH_NOARGS,
     "_ipython_key_completions_($self, /)\n--\n\nThe keys that IPython offers."}};

/// Returns the object, unless its class cannot be replaced.
nb::object ItselfIfReplaceable(PyObject* self) {
  nb::module_::import_("tain._core").attr("check_replaceable")(nb::handle(self).type());
  return nb::borrow(self);
}

}  // namespace

bool IsReplacing(PyObject* kwnames) noexcept {
  const Py_ssize_t count = PyTuple_GET_SIZE(kwnames);
  return count > 0 && PyTuple_GET_ITEM(kwnames, count - 1) == GetState().names.replaced;
}

PyObject* CallReplaced(PyTypeObject* type, PyObject* const* args, size_t nargsf,
                       PyObject* kwnames) noexcept {
  const Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
  const Py_ssize_t last = PyTuple_GET_SIZE(kwnames) - 1;
  if (nargs != 0 || Py_TYPE(args[last]) != type) {
    PyErr_SetString(PyExc_TypeError, "_replaced_object is for dataclasses.replace() alone");
    return nullptr;
  }
  const Own names(PyTuple_GetSlice(kwnames, 0, last));
  return names ? CallProtocol("replaced", args[last], args, 0, names.get()) : nullptr;
}

PyGetSetDef replaced_getter = {"_replaced_object", kGetter<&ItselfIfReplaceable>, nullptr,
                               "The object itself, for dataclasses.replace().", nullptr};

PyMethodDef protocol_methods[] = {
    {"__replace__", MethodPointer(kLocked<&ReplaceFields>), METH_FASTCALL | METH_KEYWORDS,
     "__replace__($self, /, **changes)\n--\n\n"
     "A new object with some fields changed, for copy.replace."},
    {"__rich_repr__", kLocked<&RichRepr>, METH_NOARGS,
     "__rich_repr__($self, /)\n--\n\nNames and values for rich."},
    {"_repr_pretty_", MethodPointer(kLocked<&ReprPretty>), METH_FASTCALL,
     "_repr_pretty_($self, printer, cycle, /)\n--\n\nPrints for IPython."},
    {"_repr_html_", kLocked<&ReprHtml>, METH_NOARGS,
     "_repr_html_($self, /)\n--\n\nA tree for Jupyter."},
    {"__dask_tokenize__", kLocked<&DaskToken>, METH_NOARGS,
     "__dask_tokenize__($self, /)\n--\n\nWhat Dask names results by."},
    {nullptr, nullptr, 0, nullptr}};

// The attribute is an object of an ordinary Python class with a C function. Generated classes hold
// it for ever, and nanobind would report an attribute of its own as a leak.
nb::handle MakeClassAttribute(const char* type_name, PyMethodDef* get) {
  PyObject*& made = GetState().class_attributes[get];
  if (made != nullptr) return made;
  nb::dict members = NewDict();
  members["__get__"] = nb::steal(PyCFunction_New(get, nullptr));
  members["__module__"] = "tain._core";
  members["__slots__"] = nb::make_tuple();
  const nb::handle type(reinterpret_cast<PyObject*>(&PyType_Type));
  made = nb::object(type(type_name, nb::make_tuple(), members)()).release().ptr();
  return made;
}

void AddProtocols(PyTypeObject* type, int32_t type_index) {
  const nb::handle cls(reinterpret_cast<PyObject*>(type));
  if (type_index == kTainMap || type_index == kTainDict) {
    AddMethods(type, key_completions);
  }
  if (type_index < kTainDynObjectBegin) return;
  nb::setattr(cls, "__dataclass_fields__", MakeClassAttribute("_DataclassFields", &get_fields));
  nb::setattr(cls, "__dataclass_params__", MakeClassAttribute("_DataclassParams", &get_params));
}

}  // namespace tain::bindings
