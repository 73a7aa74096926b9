// SPDX-License-Identifier: Apache-2.0
// Dataclasses that derive from registered types. The __init__ that dataclasses generate does not
// make a C++ object, so the object is made before; while __init__ runs, it may set read-only
// fields.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Sets the tp_init of a class again if it is a dataclass with a generated __init__. CPython replaces
/// it by a look-up of `__init__` whenever the method is assigned.
void InstallDataclassInit(PyTypeObject* type) noexcept;
/// For a wrapper of a dataclass whose generated __init__ assigns its first field: makes and
/// returns the C++ object, without arguments. Null with an error set for other wrappers.
TainObject* BeginDataclass(PyObject* self) noexcept;

/// Marks a wrapper whose __init__ runs, for a scope. The creator holds the wrapper.
class Initializing : internal::NotCopied {
 public:
  explicit Initializing(PyObject* self);
  ~Initializing();
  static bool Has(const PyObject* self) noexcept;

 private:
  const PyObject* self_;
};

}  // namespace tain::bindings
