// SPDX-License-Identifier: Apache-2.0
// The table of exception classes by the kinds of errors; see error_kinds.h.
#include "base/error_kinds.h"

#include "base/bridge_lock.h"
#include "base/error_class.h"
#include "base/loops.h"
#include "base/state.h"
#include "tain/internal/error_record.h"

namespace tain::bindings {
namespace {

/// Returns the kind of an exception class; empty if it is not in the table.
std::string KindOfClass(PyObject* cls) {
  const char* name = ClassName(reinterpret_cast<PyTypeObject*>(cls));
  if (ClassOfKind(name) == cls) return name;
  for (const auto& [kind, registered] : GetState().error_classes) {
    if (registered == cls) return kind;
  }
  return "";
}

/// Whether an exception class can be made from one text; UnicodeDecodeError cannot.
bool TakesText(PyTypeObject* type) {
  // Most classes inherit from BaseException what makes them, and need not be tried.
  const auto* base = reinterpret_cast<PyTypeObject*>(PyExc_BaseException);
  if (type->tp_new == base->tp_new && type->tp_init == base->tp_init) return true;
  const Own made(PyObject_CallFunction(reinterpret_cast<PyObject*>(type), "s", ""));
  PyErr_Clear();
  return static_cast<bool>(made);
}

/// Makes a class of tain's own for the kind of its name.
nb::object MakeErrorClass(CoreModule& m, const char* kind, const char* doc, PyObject* base) {
  const std::string full = std::string("tain.") + kind;
  nb::object made = Checked(PyErr_NewExceptionWithDoc(full.c_str(), doc, base, nullptr));
  made.attr("kind") = kind;
  internal::AddHostError(kind, true, true);
  StoreErrorClass(kind, made.ptr());
  m.attr(kind) = made;
  return made;
}

}  // namespace

bool IsHeapClass(PyObject* cls) noexcept {
  return PyType_HasFeature(reinterpret_cast<PyTypeObject*>(cls), Py_TPFLAGS_HEAPTYPE) != 0;
}

std::string KindOf(PyObject* exception) {
  PyObject* mro = Py_TYPE(exception)->tp_mro;
  std::string first;
  for (Py_ssize_t i = 0; mro != nullptr && i < PyTuple_GET_SIZE(mro); ++i) {
    PyObject* cls = PyTuple_GET_ITEM(mro, i);
    const bool is_builtin = !IsHeapClass(cls);
    if (is_builtin && !first.empty()) continue;
    const std::string kind = KindOfClass(cls);
    if (kind.empty()) continue;
    if (is_builtin && i == 0) return kind;  // so are all its bases
    if (!is_builtin && internal::FindErrorRecord(kind) != nullptr) return kind;
    if (first.empty()) first = kind;
  }
  return first.empty() ? "RuntimeError" : first;
}

PyObject* ErrorClassOf(std::string_view kind) {
  PyObject* cls = DefinedErrorClass(kind);
  return cls != nullptr ? cls : ClassOfKind(kind);
}

void RegisterErrorClass(const std::string& kind, PyObject* cls) {
  internal::AddHostError(kind, false, true);
  StoreErrorClass(kind, cls);
}

void InitErrorKinds(CoreModule& m) {
  const nb::module_ builtins = nb::module_::import_("builtins");
  const nb::object names = Checked(PyDict_Copy(nb::object(builtins.attr("__dict__")).ptr()));
  ForEachEntry(names, [](nb::handle text, nb::handle value) {
    if (!PyExceptionClass_Check(value.ptr())) return;
    const std::string name = Utf8Of(text);
    auto* type = reinterpret_cast<PyTypeObject*>(value.ptr());
    if (name != ClassName(type)) return;  // IOError is an alias
    internal::AddHostError(name, true, TakesText(type));
    StoreErrorClass(name, value.ptr());
  });
  const nb::object error =
      MakeErrorClass(m, "Error",
                     "An error whose kind has no Python class of its own; `kind` says which.\n\n"
                     "Attributes\n----------\nkind : str\n    The kind given to TAIN_THROW.",
                     PyExc_RuntimeError);
  MakeErrorClass(m, "InternalError", "A mistake inside a C++ library: a TAIN_ICHECK that failed.",
                 error.ptr());
  GetState().error_class = nb::object(error).release().ptr();
}

}  // namespace tain::bindings
