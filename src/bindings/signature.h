// SPDX-License-Identifier: Apache-2.0
// Signatures and annotations: what registration said, in the words of inspect and typing.
#pragma once

#include <string_view>

#include "py.h"

namespace tain::bindings {

struct ClassRecord;

/// The Python object for a type expression such as `Array[geometry.Point] | None`; classes are made if need be. A name that
/// nothing is registered under stays a string.
nb::object TypeFromExpression(std::string_view expression);
/// The same as text for __annotations__: built-in types as objects, classes of the registry as strings that name them by
/// module (`tain.types.geometry.Point`), so that no class is made.
nb::object AnnotationFromExpression(std::string_view expression);
/// inspect.Signature of a function; `with_self` puts the receiver first. Functions without info have (*args).
nb::object SignatureOf(const TainFunctionInfo* info, bool with_self);
/// One line for a docstring: `norm(self) -> float`.
std::string SignatureText(const TainFunctionInfo* info, std::string_view name, bool with_self);
/// {parameter: annotation, "return": ...} of a function.
nb::object AnnotationsOf(const TainFunctionInfo* info);
/// The `__signature__` descriptor of classes: the constructor's signature, unless a subclass has its own __init__.
nb::object ClassSignatureDescriptor();
void InitSignature(nb::module_& m);

}  // namespace tain::bindings
