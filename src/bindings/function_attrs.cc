// SPDX-License-Identifier: Apache-2.0
// Attributes and methods of tain.Function; see function_attrs.h.
#include "function_attrs.h"

#include <string>

#include "call.h"
#include "class_table.h"
#include "error.h"
#include "opaque.h"
#include "signature.h"

namespace tain::bindings {
namespace {

const TainFunctionInfo* InfoOf(PyObject* self) noexcept {
  return reinterpret_cast<FunctionInstance*>(self)->info;
}

/// The Python callable behind a callback, borrowed; null for other functions.
PyObject* WrappedOf(PyObject* self) noexcept {
  TainObject* object = AsInstance(self)->object;
  PyObject** slot = object == nullptr ? nullptr : PythonSlotOf(object);
  return slot == nullptr ? nullptr : *slot;
}

/// An attribute of the wrapped callable, or a fallback.
nb::object FromWrapped(PyObject* self, const char* name, const nb::object& fallback) {
  PyObject* wrapped = WrappedOf(self);
  if (wrapped == nullptr) return fallback;
  return nb::getattr(nb::handle(wrapped), name, fallback);
}

std::string_view FullName(PyObject* self) noexcept {
  const TainFunctionInfo* info = InfoOf(self);
  return info == nullptr ? std::string_view("Function") : View(info->name);
}
std::string_view LastName(PyObject* self) noexcept {
  const std::string_view full = FullName(self);
  const size_t dot = full.rfind('.');
  return dot == std::string_view::npos ? full : full.substr(dot + 1);
}
nb::object Text(std::string_view text) { return nb::steal(ToStr(text.data(), text.size())); }

PyObject* GetName(PyObject* self, void*) {
  return GuardedObject([&] { return FromWrapped(self, "__name__", Text(LastName(self))); });
}
PyObject* GetQualname(PyObject* self, void*) {
  return GuardedObject([&] { return FromWrapped(self, "__qualname__", Text(FullName(self))); });
}
PyObject* GetDoc(PyObject* self, void*) {
  return GuardedObject([&]() -> nb::object {
    const TainFunctionInfo* info = InfoOf(self);
    if (info == nullptr) return FromWrapped(self, "__doc__", nb::none());
    const std::string text = DocText(info, LastName(self), View(info->doc), false);
    return Text(text);
  });
}
PyObject* GetSignature(PyObject* self, void*) {
  return GuardedObject([&]() -> nb::object {
    if (PyObject* wrapped = WrappedOf(self)) {
      return nb::module_::import_("inspect").attr("signature")(nb::handle(wrapped));
    }
    return SignatureOf(InfoOf(self), false);
  });
}
PyObject* GetAnnotations(PyObject* self, void*) {
  return GuardedObject([&]() -> nb::object {
    if (WrappedOf(self) != nullptr) return FromWrapped(self, "__annotations__", nb::dict());
    return AnnotationsOf(InfoOf(self));
  });
}
PyObject* GetWrapped(PyObject* self, void*) {
  PyObject* wrapped = WrappedOf(self);
  if (wrapped == nullptr) {
    PyErr_SetString(PyExc_AttributeError, "__wrapped__: the function is not a Python callable");
    return nullptr;
  }
  return Py_NewRef(wrapped);
}

/// Pickled by its global name, if it is what the name stands for.
PyObject* Reduce(PyObject* self, PyObject*) {
  return GuardedObject([&]() -> nb::object {
    const TainFunctionInfo* info = InfoOf(self);
    TainObject* found = nullptr;
    if (info != nullptr && TainFunctionGetGlobal(&info->name, &found) != 0) ThrowFromCore();
    const bool same = found != nullptr && found == AsInstance(self)->object;
    if (found != nullptr) TainObjectDecRef(found);
    if (!same) {
      throw nb::type_error("a tain.Function can be pickled only if it is a global function");
    }
    return nb::make_tuple(nb::module_::import_("tain").attr("get_global_func"),
                          nb::make_tuple(Text(FullName(self))));
  });
}

/// The module of the class that it is a static method of, or the one that adopted its namespace.
std::string ModuleOf(PyObject* self) {
  const std::string_view name = FullName(self);
  const size_t dot = name.rfind('.');
  const TainByteArray space{name.data(), dot == std::string_view::npos ? 0 : dot};
  int32_t index = 0;
  if (space.size == 0) return "tain";
  if (TainTypeKeyToIndex(&space, &index) == 0) return ModuleOfKey(View(space));
  DropCoreError();
  const auto& adopted = GetState().adopted;
  const auto found = adopted.find(std::string(View(space)));
  return found == adopted.end() ? "tain" : found->second;
}

}  // namespace

// `__module__` is no getter: it would take the place of the type's own.
PyObject* FunctionGetAttribute(PyObject* self, PyObject* name) noexcept {
  if (TAIN_LIKELY(PyUnicode_CompareWithASCIIString(name, "__module__") != 0)) {
    return PyObject_GenericGetAttr(self, name);
  }
  return GuardedObject([&] {
    const std::string module = ModuleOf(self);
    return FromWrapped(self, "__module__", Text(module));
  });
}

namespace {

PyGetSetDef getset[] = {{"__name__", &GetName, nullptr, nullptr, nullptr},
                        {"__qualname__", &GetQualname, nullptr, nullptr, nullptr},
                        {"__doc__", &GetDoc, nullptr, nullptr, nullptr},
                        {"__signature__", &GetSignature, nullptr, nullptr, nullptr},
                        {"__annotations__", &GetAnnotations, nullptr, nullptr, nullptr},
                        {"__wrapped__", &GetWrapped, nullptr, nullptr, nullptr},
                        {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef methods[] = {{"__reduce__", &Reduce, METH_NOARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyGetSetDef* FunctionGetSet() noexcept { return getset; }
PyMethodDef* FunctionMethods() noexcept { return methods; }

}  // namespace tain::bindings
