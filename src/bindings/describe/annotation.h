// SPDX-License-Identifier: Apache-2.0
// Converts type expressions to Python objects, for signatures and __annotations__, and values of
// enum types to members.
#pragma once

#include <string>
#include <string_view>

#include "base/bridge_lock.h"
#include "base/py.h"

namespace tain::bindings {

/// Returns the Python object for a type expression such as `Array[geometry.Point] | None`, and
/// makes classes if necessary. An unregistered name becomes a str.
nb::object TypeFromExpression(std::string_view expression);
/// The same for the __annotations__ of functions, which must be evaluable: an expression with an
/// unknown name becomes typing.Any.
nb::object HintFromExpression(std::string_view expression);
/// The same for the __annotations__ of classes, without making classes. Built-in types become
/// objects. An expression with a registered type becomes a str that can be evaluated in any module,
/// and gives the class that the key has at that time.
nb::object AnnotationFromExpression(std::string_view expression);
/// Converts a borrowed value to a Python object: to a member if the expression names an enum.
nb::object ValueOfExpression(const TainAny& value, std::string_view expression);
/// Defines `builtin_types`.
void DefineBuiltinTypes(CoreModule& m);

}  // namespace tain::bindings
