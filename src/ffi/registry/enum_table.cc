// SPDX-License-Identifier: Apache-2.0
// Registered enums by key: checks and copies them, and never frees the copies.
#include <algorithm>
#include <mutex>

#include "base/guard.h"
#include "registry/registry.h"
#include "registry/unit.h"
#include "tain/convert.h"

namespace tain::internal {
namespace {

/// A registered enum.
struct StoredEnum : TainEnumInfo {
  EnumRange range;
};

constexpr int32_t kKindMask = kTainEnumUnsigned - 1;

/// Returns the integers that a definition gives for the C++ type.
EnumRange RangeOf(const TainEnumInfo& info) noexcept {
  const int32_t given = info.kind >> kTainEnumBitsShift;
  const int32_t bits = given == 0 ? 64 : given;
  const bool is_unsigned = (info.kind & kTainEnumUnsigned) != 0;
  const uint64_t highest = ~uint64_t{0} >> (64 - bits + (is_unsigned ? 0 : 1));
  return {is_unsigned ? 0 : -static_cast<int64_t>(highest) - 1, highest};
}

void CheckEnum(const TainEnumInfo& info) {
  const std::string_view key = TextOf(info.key, "TainEnumDefine", "a key");
  CheckName(key, "enum key");
  constexpr int32_t kAllBits = (127 << kTainEnumBitsShift) | kTainEnumUnsigned | kKindMask;
  if ((info.kind & ~kAllBits) != 0 || (info.kind & kKindMask) > kTainEnumStr ||
      info.kind >> kTainEnumBitsShift > 64) {
    TAIN_THROW(ValueError) << key << ": " << info.kind << " is no kind of enum";
  }
  CheckList(info.members, info.num_members, key, "members");
  TextOf(info.doc, "TainEnumDefine", "documentation");
  std::vector<std::string_view> names;
  for (int32_t i = 0; i < info.num_members; ++i) {
    const TainEnumMember& member = info.members[i];
    names.push_back(TextOf(member.name, "TainEnumDefine", "a member's name"));
    CheckName(names.back(), key);
    TextOf(member.doc, "TainEnumDefine", "documentation");
    TextOf(member.text, "TainEnumDefine", "a member's text");
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    TAIN_THROW(ValueError) << key << "." << *twice << ": the member is defined twice";
  }
}

std::string IntegersText(EnumRange range) {
  return "ints in " + std::to_string(range.lowest) + ".." + std::to_string(range.highest);
}

bool operator==(EnumRange a, EnumRange b) noexcept {
  return a.lowest == b.lowest && a.highest == b.highest;
}

/// Returns the first difference of two definitions; empty if they have the same members.
std::string DifferenceOf(const TainEnumInfo& known, const TainEnumInfo& next) {
  if (known.kind != (next.kind & kKindMask)) return "another kind";
  const EnumRange range = EnumRangeOf(&known);
  if (!(range == RangeOf(next))) {
    return IntegersText(RangeOf(next)) + " instead of " + IntegersText(range);
  }
  for (int32_t i = 0; i < std::min(known.num_members, next.num_members); ++i) {
    const TainEnumMember& a = known.members[i];
    const TainEnumMember& b = next.members[i];
    const bool same =
        View(a.name) == View(b.name) && a.value == b.value && View(a.text) == View(b.text);
    if (!same) return "another member " + std::string(View(b.name));
  }
  if (known.num_members == next.num_members) return "";
  return std::to_string(next.num_members) + " members instead of " +
         std::to_string(known.num_members);
}

const TainEnumInfo* CopyEnum(Arena& arena, const TainEnumInfo& info) {
  auto* copy = arena.New<StoredEnum>();
  static_cast<TainEnumInfo&>(*copy) = info;
  copy->kind &= kKindMask;
  copy->range = RangeOf(info);
  copy->key = arena.Copy(View(info.key));
  copy->doc = arena.Copy(View(info.doc));
  auto* members = arena.NewArray<TainEnumMember>(static_cast<size_t>(info.num_members));
  for (int32_t i = 0; i < info.num_members; ++i) {
    members[i] = info.members[i];
    members[i].name = arena.Copy(View(info.members[i].name));
    members[i].doc = arena.Copy(View(info.members[i].doc));
    members[i].text = arena.Copy(View(info.members[i].text));
  }
  copy->members = members;
  return copy;
}

void DefineEnum(const TainEnumInfo& info, Unit* unit) {
  CheckEnum(info);
  Registry& registry = Registry::Default();
  const std::string_view key = View(info.key);
  std::unique_lock lock(registry.mutex);
  if (unit != nullptr && unit->refused) return;
  if (registry.types.FindKey(key) != nullptr) {
    TAIN_THROW(ValueError) << key << ": the key belongs to a type";
  }
  EnumEntry previous;
  if (const auto it = registry.enums.find(key); it != registry.enums.end()) {
    previous = it->second;
    if (!IsOtherBuild(previous.unit, unit)) {
      const std::string difference = DifferenceOf(*previous.info, info);
      // The libraries include the same definition.
      if (difference.empty() && previous.unit != unit) return;
      TAIN_THROW(ValueError) << key << ": the enum is already defined by "
                             << FileOfUnit(previous.unit)
                             << (difference.empty() ? "" : "; this definition has ") << difference;
    }
  }
  Journal(unit, EnumAdded{std::string(key), previous.info, previous.unit});
  registry.enums.insert_or_assign(std::string(key),
                                  EnumEntry{CopyEnum(registry.arena, info), unit});
  registry.Touch();
}

}  // namespace

EnumRange EnumRangeOf(const TainEnumInfo* info) noexcept {
  return static_cast<const StoredEnum*>(info)->range;  // all records are made by CopyEnum
}

void CheckEnumIntegers(const TainEnumInfo& info, int32_t integers, std::string_view name) {
  TainEnumInfo declared = info;
  declared.kind = integers;
  if (RangeOf(declared) == EnumRangeOf(&info)) return;
  TAIN_THROW(TypeError) << View(info.key) << ": the enum has " << IntegersText(EnumRangeOf(&info))
                        << ", but " << name << " has " << IntegersText(RangeOf(declared));
}

}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainEnumDefine(const TainEnumInfo* info) noexcept {
  return GuardRegistration(
      [&](Unit* unit) { DefineEnum(NotNull(info, "TainEnumDefine", "an enum"), unit); });
}

extern "C" const TainEnumInfo* TainGetEnum(const TainByteArray* key) noexcept {
  if (key == nullptr || key->data == nullptr) return nullptr;
  return Registered(&Registry::enums, View(*key)).info;
}

extern "C" int TainEnumDefineDynamic(const TainEnumInfo* info, const TainByteArray* unit_name,
                                     const TainByteArray* unit_file) noexcept {
  return Guard([&] {
    const char* where = "TainEnumDefineDynamic";
    const TainEnumInfo& given = NotNull(info, where, "an enum");
    InOwnUnit(NotNull(unit_name, where, "a unit's name"), NotNull(unit_file, where, "a file"),
              [&](Unit* unit) { DefineEnum(given, unit); });
  });
}
