// SPDX-License-Identifier: Apache-2.0
// Type expressions as Python objects: for signatures, for __annotations__, and values in their
// light.
#pragma once

#include <string>
#include <string_view>

#include "base/py.h"

namespace tain::bindings {

/// The Python object for a type expression such as `Array[geometry.Point] | None`; classes are made
/// if need be. A name that nothing is registered under stays a string.
nb::object TypeFromExpression(std::string_view expression);
/// The same for the __annotations__ of functions: what names something unknown is typing.Any, so
/// that everything can be evaluated.
nb::object HintFromExpression(std::string_view expression);
/// The same for the __annotations__ of classes, without making another class: built-in types as
/// objects; an expression that names classes of the registry as a string that can be evaluated in
/// any module, and then gives the class that the key has at that time.
nb::object AnnotationFromExpression(std::string_view expression);
/// The enum that an expression names, also as one of its alternatives; null if it names none.
const TainEnumInfo* EnumOfExpression(std::string_view expression);
/// A borrowed value as a Python object: a member if the expression names an enum.
nb::object ValueOfExpression(const TainAny& value, std::string_view expression);
/// The same as text for documentation, without making a class: `Color.RED`, `'hello'`.
std::string TextOfExpression(const TainAny& value, std::string_view expression);

}  // namespace tain::bindings
