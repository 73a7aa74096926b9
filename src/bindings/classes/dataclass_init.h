// SPDX-License-Identifier: Apache-2.0
// Dataclasses that derive from registered types. The __init__ that dataclasses generate does not
// make a C++ object, so the object is made before; while __init__ runs, it may set read-only
// fields.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Whether a Python class between `type` and its generated class is a dataclass.
bool IsDataclass(PyTypeObject* type, PyTypeObject* generated) noexcept;
/// Whether one of those classes has an __init__ that dataclasses generated.
bool HasWrittenInit(PyTypeObject* type, PyTypeObject* generated) noexcept;

/// Marks a wrapper whose __init__ runs, for a scope. The creator holds the wrapper.
class Initializing {
 public:
  explicit Initializing(PyObject* self);
  ~Initializing();
  Initializing(const Initializing&) = delete;
  Initializing& operator=(const Initializing&) = delete;
  static bool Has(const PyObject* self) noexcept;

 private:
  const PyObject* self_;
};

}  // namespace tain::bindings
