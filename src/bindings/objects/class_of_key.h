// SPDX-License-Identifier: Apache-2.0
// The Python class or enum of a type key.
#pragma once

#include <string_view>

#include "base/py.h"

namespace tain::bindings {

/// Returns the class or enum of a key as a new reference. Sets ValueError, with similar keys, if
/// there is none.
PyObject* ClassOfKey(std::string_view key);
/// Returns the class or enum of a key as a new reference, or null without an error if there is
/// none. With `load`, what may define the key is loaded.
PyObject* FindClassOfKey(std::string_view key, bool load = true);

}  // namespace tain::bindings
