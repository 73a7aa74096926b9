// SPDX-License-Identifier: Apache-2.0
// The meanings found for names: the attributes of namespaces and of loaded libraries, so that they
// cost one look-up in a dict. A change of the registry, or of the class of a key, makes all of
// them void.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Whether what an attribute's name is found to mean may be kept: a plain str, and not of Python's
/// own names such as `__class__`.
bool IsKeptName(PyObject* name) noexcept;
/// Returns what a name of an owner was found to mean as a new reference, or null without an error.
PyObject* FindKept(PyObject* owner, PyObject* name) noexcept;

/// A look-up that begins now. Its result is kept only if nothing changes meanwhile.
class Finding {
 public:
  Finding() noexcept;
  /// Keeps what a name means. With `holds`, the owner lives as long as its names are kept;
  /// otherwise it calls ForgetNamesOf when it dies.
  void Keep(PyObject* owner, PyObject* name, PyObject* value, bool holds) const noexcept;

 private:
  uint64_t generation_;
  uint64_t changes_;
};

/// Forgets all names: a class, an enum or a function of the registry has changed. Runs foreign code.
void ForgetNames() noexcept;
/// Forgets the names of one owner. Runs foreign code.
void ForgetNamesOf(PyObject* owner) noexcept;

}  // namespace tain::bindings
