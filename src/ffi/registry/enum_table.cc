// SPDX-License-Identifier: Apache-2.0
// Registered enums by key: checks and copies them, and never frees the copies.
#include <algorithm>
#include <mutex>

#include "base/guard.h"
#include "registry/registry.h"
#include "registry/unit.h"

namespace tain::internal {
namespace {

void CheckEnum(const TainEnumInfo& info) {
  const std::string_view key = TextOf(info.key, "TainEnumDefine", "a key");
  CheckName(key, "enum key");
  if (info.kind < kTainEnumInt || info.kind > kTainEnumStr) {
    TAIN_THROW(ValueError) << key << ": " << info.kind << " is no kind of enum";
  }
  if (info.num_members < 0 || (info.num_members > 0 && info.members == nullptr)) {
    TAIN_THROW(ValueError) << key << ": " << info.num_members << " members, but no list of them";
  }
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

const TainEnumInfo* CopyEnum(Arena& arena, const TainEnumInfo& info) {
  auto* copy = arena.New<TainEnumInfo>();
  *copy = info;
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
    const bool other_build = unit != nullptr && previous.unit != nullptr && previous.unit != unit &&
                             previous.unit->name == unit->name;
    if (!other_build) {
      TAIN_THROW(ValueError) << key << ": the enum is already defined by "
                             << (previous.unit == nullptr ? std::string("another library")
                                                          : previous.unit->file);
    }
  }
  Journal(unit, EnumAdded{std::string(key), previous.info, previous.unit});
  registry.enums.insert_or_assign(std::string(key),
                                  EnumEntry{CopyEnum(registry.arena, info), unit});
  registry.Touch();
}

}  // namespace
}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainEnumDefine(const TainEnumInfo* info) noexcept {
  return GuardRegistration(
      [&](Unit* unit) { DefineEnum(NotNull(info, "TainEnumDefine", "an enum"), unit); });
}

extern "C" const TainEnumInfo* TainGetEnum(const TainByteArray* key) noexcept {
  if (key == nullptr || key->data == nullptr) return nullptr;
  Registry& registry = Registry::Default();
  std::shared_lock lock(registry.mutex);
  const auto it = registry.enums.find(View(*key));
  return it == registry.enums.end() ? nullptr : it->second.info;
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
