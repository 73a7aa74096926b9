// SPDX-License-Identifier: Apache-2.0
// Signatures: what registration said of a function, in the words of inspect.
#pragma once

#include <string>
#include <string_view>

#include "describe/annotation.h"

namespace tain::bindings {

/// inspect.Signature of a function; `with_self` puts the receiver first. Functions without info
/// have
/// (*args).
nb::object SignatureOf(const TainFunctionInfo* info, bool with_self);
/// One line for a docstring: `norm(self) -> float`.
std::string SignatureText(const TainFunctionInfo* info, std::string_view name, bool with_self);
/// A function's docstring: the line and the author's text; of overloads, one after the other.
std::string DocText(const TainFunctionInfo* info, std::string_view name, std::string_view doc,
                    bool with_self);
/// {parameter: type, "return": type} of a function, as objects.
nb::object AnnotationsOf(const TainFunctionInfo* info);
/// The `__signature__` descriptor of classes: the constructor's signature, unless a subclass has
/// its own __init__ or __new__.
nb::object ClassSignatureDescriptor();
void InitSignature(nb::module_& m);

}  // namespace tain::bindings
