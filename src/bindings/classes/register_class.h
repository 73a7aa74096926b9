// SPDX-License-Identifier: Apache-2.0
// register_object: registers a Python class for a type key.
#pragma once

#include <string>

#include "base/py.h"

namespace tain::bindings {

/// Registers `cls` as the class of new wrappers for the key, and as a base for the classes of all
/// derived keys. Returns it, or the same class rebuilt if CPython cannot change its bases.
/// ValueError for an unknown key, TypeError for a class that does not fit.
nb::object RegisterClass(const std::string& key, nb::object cls);
/// The same for a class that need not derive from tain.Object: the key's class becomes a base. With
/// `slots` the class is rebuilt without a `__dict__`; with `post_init`, construction ends with a
/// call of its `__post_init__`.
nb::object AttachClass(const std::string& key, nb::object cls, bool slots, bool post_init);

}  // namespace tain::bindings
