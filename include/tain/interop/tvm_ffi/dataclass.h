// SPDX-License-Identifier: Apache-2.0
// Text, equality and hash of values for sources for tvm::ffi.
#pragma once

#include "tain/graph/copy.h"
#include "tain/internal/value_ops.h"
#include "tain/reflection/inspect.h"

namespace tain::interop::ffi {

/// Returns a value as text, as Python's repr writes it.
inline String ReprPrint(const Any& value) { return Repr(AnyView(value)); }
/// Whether two values are equal as Python's == compares them.
inline bool RecursiveEq(const Any& a, const Any& b) {
  return internal::ValueEqual(a.data(), b.data());
}
/// Returns the hash of a value, as Python's hash() does. Throws TypeError if it has none.
inline int64_t RecursiveHash(const Any& value) { return internal::ValueHash(value.data()); }

}  // namespace tain::interop::ffi
