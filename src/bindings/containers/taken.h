// SPDX-License-Identifier: Apache-2.0
// A value that is taken out of a container is lost to nobody: one that cannot become a Python
// object, such as text of C++ that is not UTF-8, is put back.
#pragma once

#include "base/error.h"
#include "tain/any.h"
#include "values/container_access.h"

namespace tain::bindings {

/// Returns a value that was taken out of `self`, as a Python object. If that fails, calls
/// put_back(value), which may throw, and returns null with the error set.
template <class F>
PyObject* TakenToPython(PyObject* self, ElementRole role, Any value, F put_back) noexcept {
  if (PyObject* made = TakenToPython(self, role, value)) return made;
  const Own error(TakeRaised());
  const bool good = Succeeds([&] { put_back(std::move(value)); });
  if (!good) PyErr_Clear();  // why it cannot cross is what the caller can mend
  SetRaised(Py_NewRef(error.get()));
  return nullptr;
}

}  // namespace tain::bindings
