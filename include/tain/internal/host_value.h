// SPDX-License-Identifier: Apache-2.0
// Values of the host language that cross as opaque objects, and their conversion for C++
// parameters.
//
// A Python set, Decimal or generator crosses as an opaque object, so an Any returns the same Python
// object; an array crosses as a Tensor. A parameter for a number, a sequence, a mapping or a path
// asks the host for that form after its own check has failed.
#pragma once

#include <string_view>

#include "tain/any.h"

namespace tain::internal {

/// Whether the host may be able to convert a value to a TainHostForm.
inline bool IsHostValue(const TainAny& a) noexcept {
  return a.type_index == kTainOpaquePyObject || a.type_index == kTainFunction ||
         a.type_index == kTainTensor;
}

/// FromHost for a value for which IsHostValue is true.
TAIN_DLL bool FromHostValue(const TainAny& a, TainHostForm form, Any* out);

/// Asks the host to convert a value to a form. Returns false if it is not a host value or has no
/// such form. Throws any error that the host raises.
inline bool FromHost(const TainAny& a, TainHostForm form, Any* out) {
  return TAIN_UNLIKELY(IsHostValue(a)) && FromHostValue(a, form, out);
}

/// Makes the opaque host object of any value; None stays None. Returns false if there is no host, or
/// if the value is lent for a call. Throws any error that the host raises.
TAIN_DLL bool MakeHostObject(const TainAny& a, Any* out);

/// A member of a registered enum, which crosses as an opaque host object.
struct HostMember {
  const TainEnumInfo* info;
  TainAny value;  ///< its int, or a view of its text; the member owns a large int and the text
};
/// Gets the enum member that a value is. Returns false if the value is not an enum member.
TAIN_DLL bool HostMemberOf(const TainAny& a, HostMember* out) noexcept;

/// Gets the text of a member of a string enum; it is valid as long as the value. Returns false for
/// other values.
inline bool MemberText(const TainAny& a, std::string_view* out) noexcept {
  HostMember member;
  if (TAIN_LIKELY(a.type_index != kTainOpaquePyObject) || !HostMemberOf(a, &member)) return false;
  if (member.value.type_index != kTainRawStr) return false;
  *out = member.value.v_c_str;
  return true;
}

}  // namespace tain::internal
