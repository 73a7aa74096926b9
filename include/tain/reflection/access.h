// SPDX-License-Identifier: Apache-2.0
// Members by name: fields, methods and constructors of any registered type, also of one that Python
// defines.
//
//   tain::Any node = tain::reflection::ConstructorOf("demo.Node")("root");
//   tain::ObjectRef object = node.cast<tain::ObjectRef>();
//   tain::reflection::GetField(object, "name");
//   tain::reflection::CallMethod(object, "total", 2);
#pragma once

#include <string_view>

#include "tain/function.h"

namespace tain::reflection {

/// The value of a field of the object's type or its parents. Throws AttributeError if there is
/// none, TypeError for a null handle.
TAIN_DLL Any GetField(const ObjectRef& object, std::string_view name);
/// Sets a field as an assignment in Python does. Throws AttributeError if there is none or if it is
/// read-only, TypeError or OverflowError if the value does not fit.
TAIN_DLL void SetField(const ObjectRef& object, std::string_view name, const Any& value);
/// The function of a method: the object is its first argument, unless it is a static method. Throws
/// AttributeError if there is none.
TAIN_DLL Function GetMethod(const ObjectRef& object, std::string_view name);
/// The function that makes an object of a type. Throws ValueError if the key is unknown, TypeError
/// if the type has no constructor.
TAIN_DLL Function ConstructorOf(std::string_view key);

/// Calls a method of the object.
template <class... A>
Any CallMethod(const ObjectRef& object, std::string_view name, A&&... args) {
  return GetMethod(object, name)(object, std::forward<A>(args)...);
}

}  // namespace tain::reflection
