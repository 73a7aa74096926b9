// SPDX-License-Identifier: Apache-2.0
// Converts members of enums to values, and values to members.
#include <string>
#include <string_view>

#include "tain/convert.h"
#include "tain/error.h"

namespace tain::internal {

bool EnumFromAny(const TainEnumInfo* info, const TainAny* a, int64_t* out) noexcept {
  if (info->kind == kTainEnumStr) {
    std::string_view text;
    if (!TextOf(a, &text)) return false;
    for (int32_t i = 0; i < info->num_members; ++i) {
      const TainEnumMember& member = info->members[i];
      if (text == std::string_view(member.text.data, member.text.size)) {
        *out = member.value;
        return true;
      }
    }
    return false;
  }
  if (a->type_index != kTainInt && a->type_index != kTainBool) return false;
  int64_t all_bits = 0;
  for (int32_t i = 0; i < info->num_members; ++i) {
    all_bits |= info->members[i].value;
    if (info->members[i].value == a->v_int64) {
      *out = a->v_int64;
      return true;
    }
  }
  // The value of a flag may be any combination of its members, or none.
  if (info->kind != kTainEnumFlag || (a->v_int64 & ~all_bits) != 0) return false;
  *out = a->v_int64;
  return true;
}

bool EnumFromMember(const TainEnumInfo* info, const TainAny* a, int64_t* out) noexcept {
  HostMember member;
  if (a->type_index != kTainOpaquePyObject || !HostMemberOf(*a, &member)) return false;
  const auto key = [](const TainEnumInfo* of) {
    return std::string_view(of->key.data, of->key.size);
  };
  // A redefined enum keeps its key; members of the old class have its values.
  return key(member.info) == key(info) && EnumFromAny(info, &member.value, out);
}

void EnumToAny(const TainEnumInfo* info, int64_t value, TainAny* out) {
  if (info != nullptr && info->kind == kTainEnumStr) {
    for (int32_t i = 0; i < info->num_members; ++i) {
      const TainEnumMember& member = info->members[i];
      if (member.value == value) return TextToAny({member.text.data, member.text.size}, out);
    }
    TAIN_THROW(ValueError) << std::string_view(info->key.data, info->key.size) << ": " << value
                           << " is not the value of a member";
  }
  *out = TainAny{};
  out->type_index = kTainInt;
  out->v_int64 = value;
}

std::string EnumMemberText(const TainEnumInfo* info) {
  constexpr int32_t kMaxNamed = 10;
  std::string text = std::string(info->key.data, info->key.size) + " (";
  for (int32_t i = 0; i < info->num_members && i <= kMaxNamed; ++i) {
    if (i > 0) text += ", ";
    const TainByteArray& name = info->members[i].name;
    text += i == kMaxNamed ? "..." : std::string(name.data, name.size);
  }
  return text + ")";
}

}  // namespace tain::internal
