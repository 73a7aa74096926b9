// SPDX-License-Identifier: Apache-2.0
// Access to fields, methods and constructors by name, for all registered types, including those
// that Python defines.
//
//   tain::Any node = tain::reflection::ConstructorOf("demo.Node")("root");
//   tain::ObjectRef object = node.cast<tain::ObjectRef>();
//   tain::reflection::GetField(object, "name");
//   tain::reflection::CallMethod(object, "total", 2);
#pragma once

#include <string_view>

#include "tain/function.h"

namespace tain::reflection {

/// Returns the value of a field or property of the object's type or its parents. Throws
/// AttributeError if there is no such field, TypeError for a null handle.
TAIN_DLL Any GetField(const ObjectRef& object, std::string_view name);
/// Sets a field or property as an assignment in Python does. Throws AttributeError if there is no
/// such field or it is read-only, TypeError or OverflowError if the value does not fit.
TAIN_DLL void SetField(const ObjectRef& object, std::string_view name, const Any& value);
/// Returns the function of a method. Its first argument is the object, unless the method is static.
/// Throws AttributeError if there is no such method.
TAIN_DLL Function GetMethod(const ObjectRef& object, std::string_view name);
/// Returns the function that makes an object of a type. Throws ValueError if the key is unknown,
/// TypeError if the type has no constructor.
TAIN_DLL Function ConstructorOf(std::string_view key);

/// Calls a method of the object with further arguments and returns its result.
template <class... A>
Any CallMethod(const ObjectRef& object, std::string_view name, A&&... args) {
  return GetMethod(object, name)(object, std::forward<A>(args)...);
}

}  // namespace tain::reflection
