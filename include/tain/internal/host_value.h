// SPDX-License-Identifier: Apache-2.0
// Values of the host language that cross as they are, and what a C++ parameter can make of them.
//
// A Python set, Decimal or generator crosses as an opaque object, so that an Any gives back the
// very same one. A parameter that wants a number, a sequence, a mapping or a path asks the host for
// that form when its own check has failed.
#pragma once

#include <string_view>

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

/// A member of a registered enum, which crosses as itself, like any other host value.
struct HostMember {
  const TainEnumInfo* info;
  TainAny value;  ///< its int, or a view of its text, which it keeps
};
/// Whether a value is one.
TAIN_DLL bool HostMemberOf(const TainAny& a, HostMember* out) noexcept;

/// The text of a member of a string enum, which lives as long as the value.
inline bool MemberText(const TainAny& a, std::string_view* out) noexcept {
  HostMember member;
  if (TAIN_LIKELY(a.type_index != kTainOpaquePyObject) || !HostMemberOf(a, &member)) return false;
  if (member.value.type_index != kTainRawStr) return false;
  *out = member.value.v_c_str;
  return true;
}

}  // namespace tain::internal
