// SPDX-License-Identifier: Apache-2.0
// Recognizes dataclasses, and records which wrappers are being initialized; see dataclass_init.h.
#include "classes/dataclass_init.h"

#include <algorithm>

#include "base/state.h"
#include "classes/state.h"

namespace tain::bindings {
namespace {

/// Whether the module dataclasses generated the function. Such a function has no source file, and
/// is defined in a function with a special name (which code objects show from Python 3.11 on).
bool IsWritten(PyObject* init) noexcept {
  if (!PyFunction_Check(init)) return false;
  PyObject* code = PyFunction_GET_CODE(init);
  const Own file(PyObject_GetAttrString(code, "co_filename"));
  bool written = file && IsText(file.get(), "<string>");
#if PY_VERSION_HEX >= 0x030b0000
  const Own name(PyObject_GetAttrString(code, "co_qualname"));
  const Own prefix(PyUnicode_FromString("__create_fn__."));
  written = written && name && prefix &&
            PyUnicode_Tailmatch(name.get(), prefix.get(), 0, PY_SSIZE_T_MAX, -1) == 1;
#endif
  if (PyErr_Occurred()) PyErr_Clear();
  return written;
}

}  // namespace

bool IsDataclass(PyTypeObject* type, PyTypeObject* generated) noexcept {
  if (generated == nullptr) return false;
  PyObject* name = GetState().names.dataclass_params;
  PyObject* found = _PyType_Lookup(type, name);
  return found != nullptr && found != _PyType_Lookup(generated, name);
}

bool HasWrittenInit(PyTypeObject* type, PyTypeObject* generated) noexcept {
  const Own mro = Own::Share(type->tp_mro);  // keys of a class may run Python code
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(mro.get()); ++i) {
    auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(mro.get(), i));
    if (base == generated || base->tp_dict == nullptr) break;
    const Own init = Own::Share(PyDict_GetItemString(base->tp_dict, "__init__"));
    if (init && IsWritten(init.get())) return true;
  }
  return false;
}

Initializing::Initializing(PyObject* self) : self_(self) {
  GetClassesState().initializing.push_back(self);
}

Initializing::~Initializing() {
  auto& all = GetClassesState().initializing;
  const auto last = std::find(all.rbegin(), all.rend(), self_);
  all.erase(std::next(last).base());
}

bool Initializing::Has(const PyObject* self) noexcept {
  const auto& all = GetClassesState().initializing;
  return !all.empty() && std::find(all.begin(), all.end(), self) != all.end();
}

}  // namespace tain::bindings
