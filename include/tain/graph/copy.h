// SPDX-License-Identifier: Apache-2.0
// Copies of objects with other values in some fields, and deep copies of graphs of objects.
//
//   tain::Any moved = tain::CopyWith(point, {{"x", 3.0}});  // read-only fields too
//   tain::Any other = tain::DeepCopy(tree);
// An object is copied by its copy constructor. A type without one needs a default constructor, or a
// constructor whose parameters are fields. Members that are not registered as fields are copied
// only by a copy constructor.
#pragma once

#include "tain/container/map.h"
#include "tain/object.h"
#include "tain/string.h"

namespace tain {

/// Returns a copy of an object with other values in some fields. An object that has a wrapper of a
/// Python subclass is copied with its class and attributes. Throws AttributeError for a name that
/// is no field, TypeError if the type cannot be rebuilt or a value does not fit its field,
/// OverflowError if it is out of range.
TAIN_DLL Any CopyWith(const ObjectRef& object, const Map<String, Any>& changes);

/// Returns a copy of a value in which all objects that it reaches are copied, each once. Sharing and
/// cycles are kept, at any depth. The copy shares functions and values of the host with the
/// original, and each Array or Map that contains nothing to copy. The attributes of a Python
/// subclass are copied as copy.copy does. A type with a method `__deepcopy__` copies its objects by
/// that; its argument is None. Throws TypeError for a type that cannot be rebuilt.
TAIN_DLL Any DeepCopy(const Any& value);

}  // namespace tain
