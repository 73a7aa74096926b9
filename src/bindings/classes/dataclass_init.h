// SPDX-License-Identifier: Apache-2.0
// Dataclasses on top of registered types: the __init__ that dataclasses wrote knows nothing of a
// C++ object, so it is made before, and while __init__ runs read-only fields may be given their
// values.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Whether a Python class between `type` and its generated class is a dataclass.
bool IsDataclass(PyTypeObject* type, PyTypeObject* generated) noexcept;
/// Whether one of those classes has an __init__ that dataclasses wrote.
bool HasWrittenInit(PyTypeObject* type, PyTypeObject* generated) noexcept;

/// An instance whose __init__ runs. Whoever makes this holds the instance.
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
