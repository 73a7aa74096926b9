// SPDX-License-Identifier: Apache-2.0
// register_object: a Python class that stands for a type key from now on.
#pragma once

#include <string>

#include "base/py.h"

namespace tain::bindings {

/// Makes `cls` the class of new mirrors of the key's objects and of all derived keys; returns it
/// (or, where CPython cannot change its bases, the same class rebuilt). ValueError for an unknown
/// key, TypeError for a class that does not fit.
nb::object RegisterClass(const std::string& key, nb::object cls);
/// The same for a class that needs no tain.Object among its bases: it gets the key's class as one.
/// With `slots` it is rebuilt without a `__dict__`; with `post_init`, construction ends with a call
/// of its `__post_init__`.
nb::object AttachClass(const std::string& key, nb::object cls, bool slots, bool post_init);

}  // namespace tain::bindings
