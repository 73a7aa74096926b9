// SPDX-License-Identifier: Apache-2.0
// Arc, which is Ref, and the structs of DLPack by the names that sources for tvm::ffi use.
#pragma once

#include "tain/ref.h"

namespace tain::interop::ffi {

/// A counted pointer that is never null.
template <class T>
using Arc = Ref<T>;

}  // namespace tain::interop::ffi
