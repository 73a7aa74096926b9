// SPDX-License-Identifier: Apache-2.0
// When the declared types of arguments (declared_arguments.h) are known no more.
#pragma once

#include "tain/c_api.h"

namespace tain::internal {

/// Forgets the types of an array of arguments. The callee calls it before it runs foreign code: in
/// another coroutine, which moves the C stack away, other arguments may be at the same place.
TAIN_DLL void ForgetDeclared(const TainAny* args) noexcept;

}  // namespace tain::internal
