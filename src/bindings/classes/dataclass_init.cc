// SPDX-License-Identifier: Apache-2.0
// Recognizes dataclasses and initializes their objects; see dataclass_init.h.
#include "classes/dataclass_init.h"

#include <algorithm>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/state.h"
#include "classes/make_object.h"
#include "classes/state.h"
#include "objects/instance.h"

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

/// Whether a Python class between `type` and its generated class is a dataclass.
bool IsDataclass(PyTypeObject* type, PyTypeObject* generated) noexcept {
  if (generated == nullptr) return false;
  PyObject* name = GetState().names.dataclass_params;
  PyObject* found = _PyType_Lookup(type, name);
  return found != nullptr && found != _PyType_Lookup(generated, name);
}

/// Whether one of the classes between `type` and its generated class has an __init__ that
/// dataclasses generated.
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

/// Makes the C++ object of an empty wrapper if its type needs no arguments; -1 with an error set.
int MakeWithoutArguments(PyObject* self) noexcept {
  if (!IsWrapper(self) || !IsEmpty(self)) return 0;
  const ClassRecord* record = RecordOfType(GeneratedBase(Py_TYPE(self)));
  if (record == nullptr || !NeedsNothing(record)) return 0;
  return AttachWithoutArguments(record, self) == nullptr ? -1 : 0;
}

/// The tp_init of a dataclass with a generated __init__: makes the C++ object if it can be made
/// without arguments, then calls that __init__.
int DataclassInit(PyObject* self, PyObject* args, PyObject* kwargs) {
  const BridgeLock lock;
  return Guarded(-1, [&] {
    if (MakeWithoutArguments(self) != 0) return -1;
    const Initializing initializing(self);  // the caller holds it
    const Own init(PyObject_GetAttrString(self, "__init__"));
    const Own result(init ? PyObject_Call(init.get(), args, kwargs) : nullptr);
    if (result && result.get() != Py_None) {
      PyErr_Format(PyExc_TypeError, "__init__() should return None, not '%s'",
                   TypeName(result.get()));
      return -1;
    }
    return result ? 0 : -1;
  });
}

}  // namespace

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

void InstallDataclassInit(PyTypeObject* type) noexcept {
  if (type->tp_init == &DataclassInit) return;
  PyTypeObject* generated = GeneratedBase(type);
  if (IsDataclass(type, generated) && HasWrittenInit(type, generated)) {
    type->tp_init = &DataclassInit;
  }
}

TainObject* BeginDataclass(PyObject* self) noexcept {
  if (!IsWrapper(self) || !IsEmpty(self)) return nullptr;
  PyTypeObject* generated = GeneratedBase(Py_TYPE(self));
  const ClassRecord* record = RecordOfType(generated);
  const auto begins = [&] {
    const nb::error_scope pending;  // a look-up would take the error for its own
    // An __init__ of a class that is defined in Python may set the fields one by one.
    return record->record->layout != nullptr || IsDataclass(Py_TYPE(self), generated);
  };
  if (record == nullptr || !begins()) return nullptr;
  PyErr_Clear();
  if (!NeedsNothing(record)) {
    PyErr_Format(PyExc_TypeError,
                 "%s is a dataclass, but its base %s cannot be constructed without arguments: give "
                 "the dataclass an __init__ that calls super().__init__(...)",
                 TypeName(self), generated->tp_name);
    return nullptr;
  }
  return AttachWithoutArguments(record, self);
}

}  // namespace tain::bindings
