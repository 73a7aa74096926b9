// SPDX-License-Identifier: Apache-2.0
// Values of the host language that cross as they are, and what a C++ parameter can make of them.
//
// A Python set, Decimal or generator crosses as an opaque object, so that an Any gives back the
// very same one. A parameter that wants a number, a sequence, a mapping or a path asks the host for
// that form when its own check has failed.
#pragma once

#include "tain/any.h"

namespace tain::internal {

/// Whether a value may have forms of the host's.
inline bool IsHostValue(const TainAny& a) noexcept {
  return a.type_index == kTainOpaquePyObject || a.type_index == kTainFunction;
}

/// FromHost for a value that may have forms.
TAIN_DLL bool FromHostValue(const TainAny& a, TainHostForm form, Any* out);

/// Asks for a value in a form; false if it is no host value or has no such form. Throws what the
/// host raised.
inline bool FromHost(const TainAny& a, TainHostForm form, Any* out) {
  return TAIN_UNLIKELY(IsHostValue(a)) && FromHostValue(a, form, out);
}

}  // namespace tain::internal
