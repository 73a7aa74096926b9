// SPDX-License-Identifier: Apache-2.0
// Converts members of enums to values, and values to members.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/guard.h"
#include "tain/container/array.h"
#include "tain/convert.h"
#include "tain/error.h"
#include "tain/internal/dotted_name.h"
#include "tain/internal/enum_key.h"
#include "tain/internal/type_expr.h"
#include "values/mismatch.h"

namespace tain::internal {
namespace {

/// Gets the C++ value of an int that the enum's type can hold; of an unsigned enum its bits.
bool EnumIntegerOf(const TainEnumInfo* info, const TainAny* a, int64_t* out) noexcept {
  const EnumRange range = EnumRangeOf(info);
  if (a->type_index == kTainInt || a->type_index == kTainBool) {
    *out = a->v_int64;
    if (*out < 0) return *out >= range.lowest;
    return static_cast<uint64_t>(*out) <= range.highest;
  }
  uint64_t big = 0;
  if (a->type_index != kTainBigInt || !BigIntToUInt64(a, &big)) return false;
  *out = static_cast<int64_t>(big);
  return big <= range.highest;
}

}  // namespace

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
  if (!EnumIntegerOf(info, a, out)) return false;
  // A flag may be any combination of its members, and have bits of a newer version of its library.
  if (info->kind == kTainEnumFlag) return true;
  const TainEnumMember* end = info->members + info->num_members;
  return std::any_of(info->members, end, [&](const auto& member) { return member.value == *out; });
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

int FitOfEnum(const TainEnumInfo* info, const TainAny* a) noexcept {
  int64_t value = 0;
  if (EnumFromMember(info, a, &value)) return kFitExact;
  return EnumFromAny(info, a, &value) ? kFitMember : kFitConverted;
}

void EnumToMember(const TainEnumInfo* info, int64_t value, TainAny* out) {
  const TainHost* host = TainGetHost();
  EnumToAny(info, value, out);
  if (info == nullptr || host == nullptr || host->make_opaque == nullptr) return;
  const Any plain = Any::Steal(*out);
  *out = TainAny{};
  const Any parts =
      Array<Any>{Any(static_cast<void*>(const_cast<TainEnumInfo*>(info))), plain};  // only read
  int handled = 0;
  if (host->make_opaque(&parts.data(), kTainHostEnum, out, &handled) != 0) {
    throw Error::MoveFromRaised();
  }
  if (handled == 0) *out = Any(plain).Release();
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
  if (TAIN_UNLIKELY(value < 0) && info != nullptr && EnumRangeOf(info).is_unsigned()) {
    return UInt64ToAny(static_cast<uint64_t>(value), out);
  }
  *out = TainAny{};
  out->type_index = kTainInt;
  out->v_int64 = value;
}

namespace {

void AppendMember(const TainEnumInfo& info, const TainEnumMember& member, std::string* out) {
  out->append(LastPart(View(info.key))).append(".").append(View(member.name));
}

/// Appends `Access.READ|Access.WRITE`. Returns false if the value has bits of no member.
bool AppendFlags(const TainEnumInfo& info, int64_t value, std::string* out) {
  int64_t rest = value;
  std::vector<const TainEnumMember*> found;
  for (int32_t i = 0; i < info.num_members; ++i) {
    const int64_t bits = info.members[i].value;
    if ((bits & value) != bits || (bits & rest) == 0) continue;
    found.push_back(&info.members[i]);
    rest &= ~bits;
  }
  if (rest != 0 || found.empty()) return false;
  for (const TainEnumMember* member : found) {
    if (member != found.front()) out->push_back('|');
    AppendMember(info, *member, out);
  }
  return true;
}

}  // namespace

const TainEnumInfo* EnumOfType(std::string_view type) {
  const TainByteArray key = EnumKeyOf({type.data(), type.size()});
  if (const TainEnumInfo* info = TainGetEnum(&key)) return info;
  const std::optional<TypeExpr> expr = ParseTypeExpr(type);
  if (!expr || expr->kind != TypeExpr::Kind::kUnion) return nullptr;
  for (const TypeExpr& part : expr->parts) {
    const TainByteArray name{part.name.data(), part.name.size()};
    if (const TainEnumInfo* info = TainGetEnum(&name)) return info;
  }
  return nullptr;
}

bool AppendEnumMember(std::string_view type, const TainAny& value, std::string* out) {
  const TainEnumInfo* info = EnumOfType(type);
  int64_t number = 0;
  if (info == nullptr || !EnumFromAny(info, &value, &number)) return false;
  for (int32_t i = 0; i < info->num_members; ++i) {
    if (info->members[i].value != number) continue;
    AppendMember(*info, info->members[i], out);
    return true;
  }
  return AppendFlags(*info, number, out);
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
