// SPDX-License-Identifier: Apache-2.0
// Signatures of registered functions, as objects of inspect and as text.
#pragma once

#include <string>
#include <string_view>

#include "base/bridge_lock.h"
#include "describe/annotation.h"
#include "tain/internal/signature_text.h"

namespace tain::bindings {

/// Returns the inspect.Signature of a function. With `with_self` the receiver comes first. A
/// function without info has the signature (*args).
nb::object SignatureOf(const TainFunctionInfo* info, bool with_self);
using internal::SignatureText;
/// Returns a docstring: the author's text, because `help` shows the signature above it; for an
/// overloaded function the signatures and texts of all overloads.
std::string DocText(const TainFunctionInfo* info, std::string_view name, std::string_view doc,
                    bool with_self);
/// Returns {parameter: type, "return": type} of a function, with types as objects.
nb::object AnnotationsOf(const TainFunctionInfo* info);
/// Returns the `__signature__` descriptor of classes. It gives the signature of the constructor,
/// unless a subclass defines __init__ or __new__.
nb::object ClassSignatureDescriptor();
void InitSignature(CoreModule& m);

}  // namespace tain::bindings
