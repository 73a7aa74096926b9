// SPDX-License-Identifier: Apache-2.0
// copy, deepcopy and pickle of containers. They keep shared references and cycles.
#pragma once

#include <vector>

#include "base/py.h"

namespace tain::bindings {

/// Returns a new List or Dict of the same elements; null with an error set, also if `source` is null.
PyObject* CopyMutable(const TainObject* source) noexcept;
/// Appends __copy__, __deepcopy__ and __reduce__.
void AddCopyMethods(std::vector<PyMethodDef>* methods);

}  // namespace tain::bindings
